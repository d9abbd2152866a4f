"""What tests ask the attention page, written or in a browser."""

import json
import re

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."


def corrupted(html, change):
    """The page with what `change(data)` does to what its script reads."""

    def changed(found):
        data = json.loads(found[2])
        change(data)
        return found[1] + json.dumps(data).replace("<", "\\u003c") + found[3]

    return re.sub(r'(id="data">)(.*?)(</script>)', changed, html, count=1, flags=re.DOTALL)


def self_check(page):
    return page.locator("#self-check").get_attribute("data-good")


def number(text):
    """Of a text with a true minus sign, as the page has it; "<1 %" is 0.5, ">99 %" is 99.5."""
    bounds = {"<1 %": 0.5, ">99 %": 99.5}
    return bounds.get(text) or float(text.replace("−", "-").removesuffix("%"))
