"""The results of a benchmark as text."""

from collections.abc import Iterator, Sequence

GIGA = 1e9
SUMMARY = ("median", "lowest", "highest")


def report(results: dict) -> str:
    """Lines about the machine, then a table and remarks for each part that was measured."""
    rounds = results["rounds"]
    parts = {"training": _training, "decoding": _decoding, "vae": _vae}
    measured = [part(results[name], rounds) for name, part in parts.items() if name in results]
    return "\n\n".join([_machine(results), *measured])


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells in columns, the first one left-aligned and the others right-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _machine(results: dict) -> str:
    machine = results["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; "
        f"{results['threads']} threads for each system\n{versions}; {machine['date']}"
    )


def _training(training: dict, rounds: int) -> str:
    settings, peak = training["settings"], training["peak_flop_per_second"]
    title = (
        f"TRAINING on {training['training_pairs']:,} pairs of {training['corpus']}, "
        f"{training['source_language']} to {training['target_language']}: "
        f"{training['architecture']}, {', '.join(_sizes(settings))}\n"
        f"medians of {rounds} rounds of {training['seconds_per_round']:g} s; "
        "real target tokens, padding not counted; utilisation of the float32 peak"
    )
    header = (
        *("system", "tokens/s", "lowest", "highest", "steps/s", "GFLOP/s", "utilisation"),
        *("x tutorial", "x PyTorch", "x compiled", "other load"),
    )
    rows = [_training_row(name, system) for name, system in training["systems"].items()]
    peaks = ", ".join(
        f"{dtype} {found['median'] / GIGA:.0f} GFLOP/s" for dtype, found in peak.items()
    )
    return _part(title, [header, *rows], [f"GEMM peak: {peaks}", *_remarks(training["systems"])])


def _sizes(settings: dict) -> Iterator[str]:
    """Those that a model of this architecture has, and what all have."""
    names = {
        "num_layers": "{} layers",
        "d_model": "d_model {}",
        "num_heads": "{} heads",
        "dff": "dff {}",
        "units": "{} units",
        "cell": "{}",
        "pieces": "{} pieces",
        "dropout": "dropout {}",
    }
    return (text.format(settings[name]) for name, text in names.items() if name in settings)


def _training_row(name: str, system: dict) -> tuple[str, ...]:
    tokens, ratios = system["target_tokens_per_second"], system["times_as_fast_as"]
    return (
        name,
        *(f"{tokens[which]:,.0f}" for which in SUMMARY),
        f"{system['steps_per_second']['median']:.2f}",
        f"{system['model_flop_per_second']['median'] / GIGA:.0f}",
        f"{100 * system['utilisation_of_float32_peak']:.1f} %",
        _ratio(ratios.get("tutorial")),
        *_beside_pytorch(ratios),
        _other_load(system),
    )


def _beside_pytorch(ratios: dict[str, float]) -> Iterator[str]:
    """The ratios to PyTorch, as it is and compiled."""
    for compiled in (False, True):
        of_kind = (
            ratio
            for name, ratio in ratios.items()
            if name.startswith("pytorch") and ("compiled" in name) == compiled
        )
        yield _ratio(next(of_kind, None))


def _decoding(decoding: dict, rounds: int) -> str:
    sentences, systems = decoding["sentences"], decoding["systems"]
    title = (
        f"DECODING {sentences:,} test sentences of {decoding['corpus']}, text to text, "
        f"with {decoding['model']}\n"
        f"medians of {rounds} rounds; {decoding['tokens_per_sentence']:.1f} target tokens a "
        f"sentence (the reference: {decoding['reference_tokens_per_sentence']:.1f})"
    )
    beam = f"beam {decoding['beam_size']}"
    header = (
        *("system", "greedy s", "sentences/s", f"{beam} s", "one sentence ms", "load s"),
        *("greedy x CTranslate2", f"{beam} x", "one x", "other load"),
    )
    rows = [_decoding_row(name, system, sentences) for name, system in systems.items()]
    remarks = list(_remarks(systems))
    for name, equal in decoding.get("equal_greedy_translations", {}).items():
        remarks.append(
            f"tf-models and {name} write the same for {equal:,} of {sentences:,} sentences, "
            "greedily"
        )
    return _part(title, [header, *rows], remarks)


def _decoding_row(name: str, system: dict, sentences: int) -> tuple[str, ...]:
    greedy = system["greedy_seconds"]["median"]
    load = system["start_up_seconds"].get("load")
    ratios = system["times_as_fast_as"].get("ctranslate2", {})
    return (
        name,
        f"{greedy:.2f}",
        f"{sentences / greedy:,.0f}",
        _median(system["beam_seconds"], "{:.2f}"),
        _median(system["latency_seconds"], "{:.1f}", 1000),
        "-" if load is None else f"{load:.2f}",
        *(_ratio(ratios.get(measure)) for measure in ("greedy", "beam", "latency")),
        _other_load(system),
    )


def _vae(vae: dict, rounds: int) -> str:
    settings, images, systems = vae["settings"], vae["training_images"], vae["systems"]
    title = (
        f"EPOCHS of {images:,} images of {vae['images']}, a VAE with {settings['latents']} latents "
        f"and hidden layers of {settings['units']}, batches of {settings['batch_size']}\n"
        f"medians of {rounds} rounds; mean loss of the last epoch in nats"
    )
    header = (
        *("system", "epoch ms", "lowest", "highest", "images/s", "x PyTorch", "x compiled", "loss"),
        "other load",
    )
    rows = [_vae_row(name, system, images) for name, system in systems.items()]
    return _part(title, [header, *rows], _remarks(systems))


def _vae_row(name: str, system: dict, images: int) -> tuple[str, ...]:
    seconds = system["epoch_seconds"]
    return (
        name,
        *(f"{1000 * seconds[which]:,.1f}" for which in SUMMARY),
        f"{images / seconds['median']:,.0f}",
        *_beside_pytorch(system["times_as_fast_as"]),
        f"{system['loss_nats']:.1f}",
        _other_load(system),
    )


def _part(title: str, rows: Sequence[Sequence[str]], remarks) -> str:
    return "\n".join([title, "", table(rows), "", *remarks])


def _remarks(systems: dict[str, dict]) -> Iterator[str]:
    """The notes of all systems, then what their start-up took."""
    for name, system in systems.items():
        if system["note"]:
            yield f"{name}: {system['note']}"
    for name, system in systems.items():
        if system["start_up_seconds"]:
            parts = (f"{part} {s:.2f} s" for part, s in system["start_up_seconds"].items())
            yield f"start-up of {name}: {', '.join(parts)}"


def _median(summary: dict | None, form: str, factor: float = 1) -> str:
    return "-" if summary is None else form.format(factor * summary["median"])


def _ratio(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}"


def _other_load(system: dict) -> str:
    """The largest share of all cores' time that other processes took in a round."""
    return f"{100 * max(system['other_cpu_share']):.0f} %"
