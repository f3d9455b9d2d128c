/**
 * The environment of every git command, built from scratch: only the repository's own configuration, no prompts, no
 * transport, no lazy fetch, no replaced history (replace refs, grafts), no globbing of paths. Only PATH is inherited.
 */
export function gitEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C.UTF-8',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/nonexistent/grafts',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_CEILING_DIRECTORIES: '/',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_EDITOR: 'false',
    GIT_PAGER: 'cat',
    GIT_ASKPASS: 'false',
    GIT_AUTHOR_NAME: 'muster',
    GIT_AUTHOR_EMAIL: 'muster@localhost',
    GIT_COMMITTER_NAME: 'muster',
    GIT_COMMITTER_EMAIL: 'muster@localhost',
  };
}
