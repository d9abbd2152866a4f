// Browsers start no worker from a file: opened so, the site searches in a hidden frame instead.
// The theme asks for this by the names IFrameWorker and importScripts, and by the file's name.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const page = frame.contentDocument;
      page.open();
      page.write("<!doctype html><body>");
      page.close();
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const load = (source) =>
        new Promise((resolve, reject) => {
          const script = page.createElement("script");
          Object.assign(script, { src: source, async: false, onload: resolve, onerror: reject });
          page.body.append(script);
        });
      this.inside.importScripts = (...sources) => Promise.all(sources.map(load));
      this.loaded = load(url);
    }

    async postMessage(data) {
      await this.loaded;
      this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
