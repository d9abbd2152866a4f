"""The benchmark's results as text."""

from collections.abc import Sequence

GIGA = 1e9


def report(results: dict) -> str:
    """Lines about the machine, then a table and remarks for each part that was measured."""
    parts = [_machine(results)]
    if "training" in results:
        parts.append(_training(results["training"], results["rounds"]))
    if "decoding" in results:
        parts.append(_decoding(results["decoding"], results["rounds"]))
    return "\n\n".join(parts)


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
        f"{results['threads']} threads for each rival\n{versions}; {machine['date']}"
    )


def _training(training: dict, rounds: int) -> str:
    settings, peak = training["settings"], training["peak_flop_per_second"]
    title = (
        f"TRAINING on {training['training_pairs']:,} pairs of {training['corpus']}, "
        f"{training['source_language']} to {training['target_language']}: "
        f"{settings['num_layers']} layers, d_model {settings['d_model']}, "
        f"{settings['num_heads']} heads, dff {settings['dff']}, {settings['pieces']} pieces, "
        f"dropout {settings['rate']}\n"
        f"medians of {rounds} rounds of {training['seconds_per_round']:g} s; "
        "real target tokens, padding not counted; utilisation of the float32 peak"
    )
    header = (
        *("rival", "tokens/s", "lowest", "highest", "steps/s", "GFLOP/s", "utilisation"),
        *("x tutorial", "x PyTorch", "others"),
    )
    rows = [_training_row(name, rival) for name, rival in training["rivals"].items()]
    peaks = ", ".join(
        f"{dtype} {found['median'] / GIGA:.0f} GFLOP/s" for dtype, found in peak.items()
    )
    start_ups = [
        f"start-up of {name}: " + _seconds(rival["start_up_seconds"])
        for name, rival in training["rivals"].items()
    ]
    return "\n".join([title, "", table([header, *rows]), "", f"GEMM peak: {peaks}", *start_ups])


def _training_row(name: str, rival: dict) -> tuple[str, ...]:
    tokens, times = rival["target_tokens_per_second"], rival["times_as_fast_as"]
    return (
        name,
        *(f"{tokens[which]:,.0f}" for which in ("median", "lowest", "highest")),
        f"{rival['steps_per_second']['median']:.2f}",
        f"{rival['model_flop_per_second']['median'] / GIGA:.0f}",
        f"{100 * rival['utilisation_of_float32_peak']:.1f} %",
        _times(times.get("tutorial")),
        _times(next((v for other, v in times.items() if other != "tutorial"), None)),
        _others(rival),
    )


def _decoding(decoding: dict, rounds: int) -> str:
    title = (
        f"DECODING {decoding['sentences']:,} test sentences of {decoding['corpus']}, text to text, "
        f"with {decoding['model']}\n"
        f"medians of {rounds} rounds; {decoding['tokens_per_sentence']:.1f} target tokens a "
        f"sentence (the reference: {decoding['reference_tokens_per_sentence']:.1f})"
    )
    beam = f"beam {decoding['beam_size']}"
    header = (
        *("rival", "greedy s", "sentences/s", f"{beam} s", "one sentence ms", "load s"),
        *("greedy x CTranslate2", f"{beam} x", "one x", "others"),
    )
    rows = [
        _decoding_row(name, rival, decoding["sentences"])
        for name, rival in decoding["rivals"].items()
    ]
    notes = [f"{name}: {r['note']}" for name, r in decoding["rivals"].items() if r["note"]]
    start_ups = [
        f"start-up of {name}: {_seconds(rival['start_up_seconds'])}"
        for name, rival in decoding["rivals"].items()
        if rival["start_up_seconds"]
    ]
    equal = decoding.get("equal_greedy_translations")
    if equal is not None:
        notes.append(
            f"tf-models and ctranslate2 write the same for {equal:,} of "
            f"{decoding['sentences']:,} sentences, greedily"
        )
    return "\n".join([title, "", table([header, *rows]), "", *notes, *start_ups])


def _decoding_row(name: str, rival: dict, sentences: int) -> tuple[str, ...]:
    greedy, times = rival["greedy_seconds"]["median"], rival["times_as_fast_as"]
    load = rival["start_up_seconds"].get("load")
    return (
        name,
        f"{greedy:.2f}",
        f"{sentences / greedy:,.0f}",
        _figure(rival["beam_seconds"], "{:.2f}"),
        _figure(rival["latency_seconds"], "{:.1f}", 1000),
        "-" if load is None else f"{load:.2f}",
        *(_times(times.get("ctranslate2", {}).get(w)) for w in ("greedy", "beam", "latency")),
        _others(rival),
    )


def _figure(summary: dict | None, form: str, factor: float = 1) -> str:
    return "-" if summary is None else form.format(factor * summary["median"])


def _times(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}"


def _others(rival: dict) -> str:
    """The most that other processes took of the machine in a round."""
    return f"{100 * max(rival['taken_by_others']):.0f} %"


def _seconds(seconds: dict[str, float]) -> str:
    return ", ".join(f"{what} {value:.2f} s" for what, value in seconds.items())
