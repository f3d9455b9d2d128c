/** What is written in a language, by how names of its files end. */
const endings: Readonly<Record<string, string>> = {
  bash: 'bash sh zsh bashrc zshrc profile',
  c: 'c h',
  clojure: 'clj cljs edn',
  cpp: 'cc cpp cxx hh hpp hxx ino',
  csharp: 'cs',
  css: 'css',
  dart: 'dart',
  diff: 'diff patch',
  docker: 'dockerfile',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  fsharp: 'fs fsx',
  go: 'go',
  'go-module': 'mod',
  graphql: 'graphql gql',
  groovy: 'groovy gradle jenkinsfile',
  haskell: 'hs',
  hcl: 'hcl tf tfvars',
  ini: 'ini cfg conf properties editorconfig',
  java: 'java',
  javascript: 'js cjs mjs',
  json: 'json jsonc json5 webmanifest',
  jsx: 'jsx',
  julia: 'jl',
  kotlin: 'kt kts',
  less: 'less',
  lua: 'lua',
  makefile: 'mk makefile',
  markdown: 'md mdx markdown',
  markup: 'html htm xml svg vue svelte xhtml',
  nix: 'nix',
  objectivec: 'm mm',
  ocaml: 'ml mli',
  perl: 'pl pm',
  php: 'php',
  powershell: 'ps1 psm1',
  protobuf: 'proto',
  python: 'py pyi pyw',
  r: 'r',
  ruby: 'rb rake gemspec gemfile rakefile',
  rust: 'rs',
  sass: 'sass',
  scala: 'scala sbt',
  scss: 'scss',
  solidity: 'sol',
  sql: 'sql',
  swift: 'swift',
  toml: 'toml',
  tsx: 'tsx',
  typescript: 'ts cts mts',
  yaml: 'yaml yml',
  zig: 'zig',
};

const byEnding = new Map(
  Object.entries(endings).flatMap(([language, names]) => names.split(' ').map((name) => [name, language] as const)),
);

/**
 * The language of a file by how its name ends (`prices.ts`) or what it is (`Makefile`); undefined if it is not known.
 */
export function languageOf(path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  return byEnding.get(name.split('.').at(-1) ?? '') ?? (name.startsWith('dockerfile.') ? 'docker' : undefined);
}
