// What this page is, for somebody who opens it for the first time.
import { element, place } from "./dom.js";
import { glossary } from "./terms.js";

const ARTICLES = {
  illustrated: "https://jalammar.github.io/illustrated-transformer/",
  toy: "https://data-science-blog.com/blog/2021/05/10/constructing-transformer-model-little-by-little/",
};

/** @param {Page} page */
export function showIntro(page) {
  place("intro").replaceChildren(
    element(
      "details",
      {},
      element("summary", { text: "What is this page?" }),
      element("p", {}, ...whatItIs(page)),
    ),
    element(
      "details",
      { id: "terms" },
      element("summary", { text: "The words used here" }),
      element(
        "dl",
        {},
        ...glossary(page.languages).flatMap(([term, text]) => [
          element("dt", { text: term }),
          element("dd", { text }),
        ]),
      ),
    ),
  );
}

function whatItIs({ languages: { source, target } }) {
  return [
    `This page is a whole translator from ${source} to ${target}, a Transformer as in `,
    link("The Illustrated Transformer", ARTICLES.illustrated),
    " and ",
    link("How to make a toy English-German translator", ARTICLES.toy),
    "; it computes in your browser, without a network. ",
    `It writes ${target} piece by piece, and before each piece its heads look at words of the ` +
      `${source} sentence: below you see where each head looks. `,
    "Type a sentence, switch a head off or move its attention, and see what becomes of the translation.",
  ];
}

function link(text, href) {
  return element("a", { href, text, rel: "noreferrer" });
}
