import type { Syntax } from 'refractor/core';

/** The grammars by the name of the language. Each is loaded when a file in it is first shown. */
const grammars: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {
  bash: () => import('refractor/bash'),
  c: () => import('refractor/c'),
  clojure: () => import('refractor/clojure'),
  cpp: () => import('refractor/cpp'),
  csharp: () => import('refractor/csharp'),
  css: () => import('refractor/css'),
  dart: () => import('refractor/dart'),
  diff: () => import('refractor/diff'),
  docker: () => import('refractor/docker'),
  elixir: () => import('refractor/elixir'),
  erlang: () => import('refractor/erlang'),
  fsharp: () => import('refractor/fsharp'),
  go: () => import('refractor/go'),
  'go-module': () => import('refractor/go-module'),
  graphql: () => import('refractor/graphql'),
  groovy: () => import('refractor/groovy'),
  haskell: () => import('refractor/haskell'),
  hcl: () => import('refractor/hcl'),
  ini: () => import('refractor/ini'),
  java: () => import('refractor/java'),
  javascript: () => import('refractor/javascript'),
  json: () => import('refractor/json'),
  jsx: () => import('refractor/jsx'),
  julia: () => import('refractor/julia'),
  kotlin: () => import('refractor/kotlin'),
  less: () => import('refractor/less'),
  lua: () => import('refractor/lua'),
  makefile: () => import('refractor/makefile'),
  markdown: () => import('refractor/markdown'),
  markup: () => import('refractor/markup'),
  nix: () => import('refractor/nix'),
  objectivec: () => import('refractor/objectivec'),
  ocaml: () => import('refractor/ocaml'),
  perl: () => import('refractor/perl'),
  php: () => import('refractor/php'),
  powershell: () => import('refractor/powershell'),
  protobuf: () => import('refractor/protobuf'),
  python: () => import('refractor/python'),
  r: () => import('refractor/r'),
  ruby: () => import('refractor/ruby'),
  rust: () => import('refractor/rust'),
  sass: () => import('refractor/sass'),
  scala: () => import('refractor/scala'),
  scss: () => import('refractor/scss'),
  solidity: () => import('refractor/solidity'),
  sql: () => import('refractor/sql'),
  swift: () => import('refractor/swift'),
  toml: () => import('refractor/toml'),
  tsx: () => import('refractor/tsx'),
  typescript: () => import('refractor/typescript'),
  yaml: () => import('refractor/yaml'),
  zig: () => import('refractor/zig'),
};

/** The grammar of a language; undefined if there is none, or it cannot be loaded. */
export async function grammarOf(language: string): Promise<Syntax | undefined> {
  try {
    return (await grammars[language]?.())?.default as Syntax | undefined;
  } catch {
    return undefined;
  }
}
