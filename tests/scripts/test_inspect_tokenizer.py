def test_the_tokenizers_of_a_run(run_dir, call):
    result = call("inspect_tokenizer", "--run-dir", run_dir, "The dog sees the fox.")

    assert "en: 80 pieces, 82 ids; padding 0, unknown 1, start 80, end 81" in result.out
    assert "de: 80 pieces" in result.out
    assert "  decoded The dog sees the fox.\n" in result.out


def test_the_articles_tokenizer(shared_data, call):
    cache = shared_data / "bpemb"
    result = call("inspect_tokenizer", "--bpemb", "en", "--bpemb-cache", cache, "Anthony Hopkins")

    assert "en: 10000 pieces, 10002 ids" in result.out
    assert "  pieces  <start> ▁anthony " in result.out
    assert "  decoded anthony hopkins\n" in result.out


def test_one_of_the_two_is_needed(call):
    assert "--run-dir --bpemb is required" in call("inspect_tokenizer").complaint
