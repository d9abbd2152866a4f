def test_the_articles_tokenizer(shared_data, call):
    result = call(
        "inspect_tokenizer", "--bpemb", "en", "--data-dir", shared_data, "Anthony Hopkins"
    )

    assert "en: 10000 pieces, 10002 ids" in result.out
    assert "  pieces  <start> ▁anthony " in result.out
    assert "  decoded anthony hopkins\n" in result.out


def test_the_translator_of_the_package_is_the_default(call):
    result = call("inspect_tokenizer", "He’s here.")
    assert result.status == 0
    lines = result.out.splitlines()
    assert "en: 10000 pieces, 10002 ids; padding 0, unknown 1, start 10000" in lines[0]
    assert lines[3] == "  decoded He's here."  # as the translator reads it
    assert lines[7] == "  decoded He’s here."
