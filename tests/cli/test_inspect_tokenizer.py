def test_the_tokenizers_of_a_run(run_dir, call):
    result = call("inspect_tokenizer", "--run-dir", run_dir, "The dog sees the fox.")

    assert "en: 200 pieces, 202 ids; padding 0, unknown 1, start 200, end 201" in result.out
    assert "de: 200 pieces" in result.out
    assert "  decoded The dog sees the fox.\n" in result.out


def test_the_articles_tokenizer(shared_data, call):
    result = call(
        "inspect_tokenizer", "--bpemb", "en", "--data-dir", shared_data, "Anthony Hopkins"
    )

    assert "en: 10000 pieces, 10002 ids" in result.out
    assert "  pieces  <start> ▁anthony " in result.out
    assert "  decoded anthony hopkins\n" in result.out


def test_the_translator_of_the_package_is_the_default(call):
    result = call("inspect_tokenizer", "He admired her.")
    assert result.status == 0
    assert result.out.splitlines()[0].startswith("en: 10000 pieces")
    assert result.out.count("  decoded He admired her.") == 2
