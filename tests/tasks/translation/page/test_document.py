import json
import re

from tf_models.tasks.translation.page.document import json_in_html, make_document

EVIL = "</script><script>alert(1)</script>"


def test_data_cannot_end_its_element():
    text = json_in_html({"sentence": EVIL})

    assert "<" not in text
    assert json.loads(text) == {"sentence": EVIL}


def test_only_this_script_and_this_style_are_allowed():
    html = make_document("a <title>", {"sentence": EVIL})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]

    assert policy.startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    assert "unsafe" not in policy
    assert "://" not in re.sub(r"http://www\.w3\.org/\d+/svg", "", html)
    assert "<title>a &lt;title&gt;</title>" in html
    assert EVIL not in html
