"""What tests ask the attention page in a browser."""


def badge(page):
    return page.locator("#badge").get_attribute("data-good")
