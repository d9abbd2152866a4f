// Names of types for comments; nothing of it is in the page.
type Contents = Awaited<ReturnType<typeof import("./page_data.js").readPage>>;
type Question = { name: string; [part: string]: any };
type Computer = import("./computer.js").Computer;
type Page = import("./page.js").Page;
