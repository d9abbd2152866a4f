"""What tests ask the attention page in a browser."""


def self_check(page):
    return page.locator("#self-check").get_attribute("data-good")
