// Names of types for comments; nothing of it is in the page.
type Contents = Awaited<ReturnType<typeof import("./page/page_data.js").readPage>>;
type Page = import("./page/page.js").Page;
type Translator = import("./model/translator.js").Translator;
