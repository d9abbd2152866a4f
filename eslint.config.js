// Rules for faults; tsc finds names that are not there, and Prettier has the form.
import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    rules: {
      "no-control-regex": "off", // alphabet.js means them
      "no-undef": "off",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      eqeqeq: "error",
      "no-shadow": ["error", { allow: ["_"] }],
      "consistent-return": "error",
      "no-implicit-coercion": "error",
      "no-param-reassign": "error",
      "default-case-last": "error",
      "no-else-return": "error",
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "array-callback-return": "error",
      "no-unused-expressions": "error",
    },
  },
];
