import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { sandboxed } from '#world/isolation/bubblewrap.ts';
import { carriedProgram } from '#world/isolation/carried-program.ts';
import { interpretersOf } from '#world/isolation/interpreter.ts';
import { checkUnlinked, type Mount } from '#world/isolation/mount.ts';
import { homeMounts, privateFolderOf } from '#world/isolation/private-home.ts';
import { programMounts } from '#world/isolation/program-mounts.ts';
import { findProgram } from '#world/program/find-program.mjs';

const bwrap = findProgram('bwrap');

(bwrap ? describe : describe.skip)('a program of the person’s in a sandbox', () => {
  let folder: TemporaryFolder;
  let home: string;
  beforeEach(() => {
    folder = temporaryFolder('programs');
    home = join(folder.path, 'home');
    for (const path of [home, join(folder.path, 'private')]) mkdirSync(path, { recursive: true });
    write('.ssh/id', 'key');
  });
  afterEach(() => folder.remove());

  const at = (path: string) => join(home, path);
  function write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text, { mode });
  }
  function link(path: string, to: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    symlinkSync(to, at(path));
  }
  /** An interpreter that is no part of the system: a shell by another name. */
  function python(path: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    copyFileSync('/bin/sh', at(path));
  }
  const script = (interpreter: string, packages: string) =>
    `#!${interpreter}\n. "${at(packages)}/tool.py"; cat "$HOME/.ssh/id" 2>&1; true\n`;

  /** What a program prints in a sandbox with a home of its own. */
  function run(program: string, path = '/usr/bin:/bin', environment: Readonly<Record<string, string>> = {}): string {
    const mounts: Mount[] = [
      { at: home, from: join(folder.path, 'private'), access: 'write' },
      ...programMounts({ path, programs: [program], kept: [home], home, environment }),
    ];
    checkUnlinked(mounts);
    const spec = {
      mounts,
      cwd: '/',
      network: 'own',
      relays: [],
      set: { HOME: home, PATH: path, ...environment },
      unset: [],
    } as const;
    const [file = '', ...args] = sandboxed({ bwrap: bwrap ?? '', socat: '' }, spec, [program]);
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
  const started = /^started\n.*No such file/s;

  /** As uv installs a tool: links lead to its environment, and from there to a Python of uv’s own. */
  function installByUv(): void {
    python('.local/share/uv/python/cpython-3.12.7/bin/python3.12');
    link('.local/share/uv/python/cpython-3.12', 'cpython-3.12.7');
    const tool = '.local/share/uv/tools/tool';
    link(`${tool}/bin/python`, at('.local/share/uv/python/cpython-3.12/bin/python3.12'));
    write(`${tool}/pyvenv.cfg`, `home = ${at('.local/share/uv/python/cpython-3.12/bin')}\n`);
    write(`${tool}/lib/python3.12/site-packages/tool.py`, 'echo started');
    write(`${tool}/bin/tool`, script(at(`${tool}/bin/python`), `${tool}/lib/python3.12/site-packages`), 0o755);
    link('.local/bin/tool', at(`${tool}/bin/tool`));
  }

  it('starts from a virtual environment that only links lead to, with the Python that it was made with', () => {
    installByUv();
    expect(run(at('.local/bin/tool'))).to.match(started);
  });

  it('starts if pip installed it for the person alone', () => {
    python('pythons/3.12/bin/python3.12');
    const packages = '.local/lib/python3.12/site-packages';
    write(`${packages}/tool.py`, 'echo started');
    write('.local/bin/tool', script('/usr/bin/env python3.12', packages), 0o755);
    expect(run(at('.local/bin/tool'), `${at('pythons/3.12/bin')}:/usr/bin:/bin`)).to.match(started);
  });

  it('starts from a folder of the PATH that is a link, but shows no home by one', () => {
    write(
      'dotfiles/scripts/tool',
      '#!/bin/sh\necho started; cat "$HOME/.ssh/id" "$HOME/all/.ssh/id" 2>&1; true\n',
      0o755,
    );
    link('bin', 'dotfiles/scripts');
    link('all', '.');
    expect(run(at('bin/tool'), `${at('bin')}:${at('all')}:/usr/bin:/bin`)).to.match(
      /^started\n(?:.*No such file.*\n){2}/,
    );
  });

  it('is carried to a container where it is, with its Python, if it is a virtual environment', () => {
    installByUv();
    const { program, mounts } = carriedProgram(at('.local/bin/tool'));
    expect(program).to.equal(at('.local/share/uv/tools/tool/bin/tool'));
    expect(mounts.map((mount) => mount.at)).to.deep.equal(
      ['tools/tool', 'python/cpython-3.12', 'python/cpython-3.12.7'].map((path) => at(`.local/share/uv/${path}`)),
    );
  });

  it('starts with its installation in the home, of which it sees no login, checkout or neighbour', () => {
    const secret = (...paths: string[]) => paths.map((path) => write(path, 'secret'));
    secret('.docker/config.json', '.cargo/credentials.toml', '.cargo/registry/index', 'sdk/etc/npmrc', 'sdk/data');
    secret(
      'src/web/.env',
      'src/web/.git/config',
      'src/web/lib/auth.json',
      'src/web/notes',
      'src/other/lib/x',
      'sdk2/.env',
    );
    for (const name of ['.docker', '.cargo', 'sdk', 'sdk2', 'src/web']) write(`${name}/bin/tool`, '', 0o755);
    write('sdk/lib/part', 'part');
    write('sdk2/lib/part', 'part');
    write('sdk2/lib/python3/test/keycert.pem', 'of a test');
    write('src/web/lib/part', 'part');
    // As ghcup installs: a link leads to one of several versions.
    secret('.ghcup/config.yaml', '.ghcup/ghc/9.4/share/x');
    write('.ghcup/ghc/9.4/lib/part', 'part');
    write('.ghcup/ghc/9.4/bin/ghc', '', 0o755);
    link('.ghcup/bin/ghc', '../ghc/9.4/bin/ghc');
    const shown = 'cd "$HOME"; find . -type f -size +0 ! -path "./.ssh/*" | sort; cat src/web/lib/part';
    write('src/web/bin/show', `#!/bin/sh\n${shown}\n`, 0o755);
    const folders = ['.docker', '.cargo', '.ghcup', 'sdk', 'sdk2', 'src/web'].map((name) => at(`${name}/bin`));
    expect(run(at('src/web/bin/show'), [...folders, '/usr/bin', '/bin'].join(':'))).to.equal(
      './.ghcup/ghc/9.4/lib/part\n./.ghcup/ghc/9.4/share/x\n./sdk/data\n./sdk/lib/part\n./sdk2/lib/part\n./sdk2/lib/python3/test/keycert.pem\n./src/web/bin/show\n./src/web/lib/part\npart',
    );
  });

  it('shows of what the links in a folder of programs lead to nothing but the programs', () => {
    for (const path of [
      'tools/x',
      'lib/x',
      'src/secret/notes',
      '.x/data',
      '.x/.ssh/id',
      'src/web/notes',
      'src/web/app/x',
    ])
      write(path, 'secret');
    for (const path of ['src/secret/deploy.sh', '.x/tool.sh', 'src/web/cli.sh', 'src/web/app/cli.sh'])
      write(path, 'program', 0o755);
    link('bin/deploy', '../src/secret/deploy.sh');
    link('bin/all', '../src');
    for (const [name, to] of [
      ['tool', '../tool.sh'],
      ['key', '../.ssh/id'],
      ['all', '..'],
      ['data', '../data'],
    ] as const)
      link(`.x/bin/${name}`, to);
    link('src/web/bin/web', '../cli.sh');
    link('src/web/bin/app', '../app/cli.sh');
    write('bin/show', '#!/bin/sh\ncd "$HOME"; find . -type f -size +0 | sort\n', 0o755);
    const path = ['bin', '.x/bin', 'src/web/bin'].map(at);
    const shown = run(at('bin/show'), [...path, '/usr/bin', '/bin'].join(':'))
      .trim()
      .split('\n');
    expect(shown).to.deep.equal(['./.x/tool.sh', './bin/show', './src/web/app/cli.sh', './src/web/cli.sh']);
  });

  it('shows of ~/.local/share what is linked from ~/.local/bin, and nothing beside it but its installation', () => {
    write('.local/share/tool', 'program', 0o755);
    write('.local/share/keyrings/login.keyring', 'secret');
    write('.local/share/app/prog', '#!/usr/bin/env tool\n', 0o755);
    write('.local/share/app/history', 'secret');
    write('.local/share/venv/bin/check', 'program', 0o755);
    write('.local/share/venv/pyvenv.cfg', 'home = /usr/bin');
    write('.local/share/nvim/bin/nvim', 'program', 0o755);
    write('.local/share/nvim/lib/part', 'part');
    for (const [name, to] of [
      ['tool', 'tool'],
      ['prog', 'app/prog'],
      ['check', 'venv/bin/check'],
      ['nvim', 'nvim/bin/nvim'],
    ] as const)
      link(`.local/bin/${name}`, `../share/${to}`);
    write('.local/bin/show', '#!/bin/sh\ncd "$HOME"; find . -type f -size +0 | sort\n', 0o755);
    const shown = ['app/prog', 'nvim/bin/nvim', 'nvim/lib/part', 'tool', 'venv/bin/check', 'venv/pyvenv.cfg'];
    expect(
      run(at('.local/bin/show'), `${at('.local/bin')}:/usr/bin:/bin`)
        .trim()
        .split('\n'),
    ).to.deep.equal(['./.local/bin/show', ...shown.map((path) => `./.local/share/${path}`)]);
    const programs = [at('.local/bin/tool')];
    const alone = programMounts({ path: '/usr/bin', programs, kept: [home], home, environment: {} });
    expect(alone.map((mount) => mount.at))
      .to.include(at('.local/share/tool'))
      .and.not.include(at('.local/share'));
    expect(carriedProgram(at('.local/bin/tool'))).to.deep.equal({
      program: '/run/muster-cli/tool',
      mounts: [{ at: '/run/muster-cli/tool', from: at('.local/share/tool'), access: 'read' }],
    });
  });

  it('shows environments of pixi, and nothing else by that name', () => {
    write('deploy/envs/prod.yaml', 'secret');
    write('deploy/bin/deploy', 'program', 0o755);
    write('.pixi/envs/node/bin/node', 'program', 0o755);
    write('.pixi/bin/show', '#!/bin/sh\ncd "$HOME"; find . -type f -size +0 | sort\n', 0o755);
    const path = [at('deploy/bin'), at('.pixi/bin'), '/usr/bin', '/bin'].join(':');
    expect(run(at('.pixi/bin/show'), path).trim().split('\n')).to.deep.equal([
      './.pixi/bin/show',
      './.pixi/envs/node/bin/node',
      './deploy/bin/deploy',
    ]);
  });

  it('starts beside what its host may not read: settings of git, and a program', () => {
    // Nobody may read that, not even root.
    const unreadable = '/proc/self/mem';
    expect(interpretersOf(unreadable, '')).to.deep.equal([]);
    link('.gitconfig', unreadable);
    const order = { home, cli: undefined, copied: [], readable: [] };
    const shown = homeMounts(privateFolderOf(folder.path, 'agt_a'), order).map((mount) => mount.at);
    expect(shown).to.deep.equal(['/tmp', home]);
  });

  // Each with what it keeps beside its programs, and the file that must not be seen.
  const managers: readonly (readonly [name: string, folder: string, shown: readonly string[], hidden: string])[] = [
    [
      'rustup',
      '.cargo/bin',
      ['.rustup/toolchains/stable/bin/cargo', '.rustup/settings.toml'],
      '.cargo/credentials.toml',
    ],
    ['juliaup', '.juliaup/bin', ['.julia/juliaup/julia-1.11/bin/julia'], '.julia/logs/repl_history.jl'],
    ['go1.24.1', 'go/bin', ['sdk/go1.24.1/bin/go'], 'go/src/app/main.go'],
    ['elan', '.elan/bin', ['.elan/toolchains/stable/bin/lean', '.elan/settings.toml'], '.elan/.env'],
    ['volta-shim', '.volta/bin', ['.volta/tools/image/node/24.0.0/bin/node'], '.volta/.npmrc'],
    ['node', '.asdf/shims', ['.asdf/installs/nodejs/24.0.0/bin/node', '.tool-versions'], '.asdf/.git/config'],
    ['node', '.pyenv/shims', ['.pyenv/versions/3.13.0/bin/python', '.pyenv/version'], '.pyenv/.git/config'],
    ['ruby', '.rbenv/shims', ['.rbenv/versions/3.4.1/bin/ruby', '.rbenv/version'], '.rbenv/.git/config'],
    [
      'node',
      '.local/share/mise/shims',
      ['.local/share/mise/installs/node/24/bin/node', '.config/mise/config.toml'],
      '.config/mise/age.txt',
    ],
    ['node', '.nvm/versions/node/v24.0.0/bin', ['.nvm/versions/node/v24.0.0/lib/node_modules/npm/x.js'], '.nvm/.npmrc'],
    ['java', '.sdkman/candidates/java/21/bin', ['.sdkman/candidates/java/21/lib/modules'], '.sdkman/etc/config'],
    ['node', '.pixi/bin', ['.pixi/envs/node/bin/node'], '.pixi/config.toml'],
  ];

  it('finds the versions that managers of versions keep elsewhere, without logins and settings', () => {
    for (const [name, folder, shown, hidden] of managers) {
      for (const path of shown) write(path, '[tools]\nnode = "24"\n', 0o755);
      write(hidden, 'secret');
      write(`${folder}/${name}`, 'program', 0o755);
    }
    write('.local/bin/show', '#!/bin/sh\ncd "$HOME"; find . -type f -size +0 | sort\n', 0o755);
    const folders = managers.map(([, folder]) => at(folder));
    const found = run(at('.local/bin/show'), [...folders, '/usr/bin', '/bin'].join(':'))
      .trim()
      .split('\n');
    const expected = managers.flatMap(([name, folder, shown]) => [`${folder}/${name}`, ...shown]);
    expect(found).to.deep.equal([...expected, '.local/bin/show'].map((path) => `./${path}`).sort());
  });

  it('finds them where a variable says, and settings only if they choose nothing but versions', () => {
    write('.cargo/bin/rustup', 'program', 0o755);
    write('rust/toolchains/stable/bin/cargo', 'program', 0o755);
    write('.rustup/toolchains/old/bin/cargo', 'program', 0o755);
    write('.local/share/mise/shims/node', 'program', 0o755);
    write('.config/mise/config.toml', '[tools]\nnode = "24"\n[env]\nTOKEN = "secret"\n');
    write('.local/bin/show', '#!/bin/sh\ncd "$HOME"; find . -type f -size +0 | sort\n', 0o755);
    const path = [at('.cargo/bin'), at('.local/share/mise/shims'), '/usr/bin', '/bin'].join(':');
    expect(
      run(at('.local/bin/show'), path, { RUSTUP_HOME: at('rust') })
        .trim()
        .split('\n'),
    ).to.deep.equal(
      ['.cargo/bin/rustup', '.local/bin/show', '.local/share/mise/shims/node', 'rust/toolchains/stable/bin/cargo'].map(
        (one) => `./${one}`,
      ),
    );
  });

  it('starts what uv or pipx has linked into a folder of the PATH', () => {
    installByUv();
    write('.local/bin/other', '#!/bin/sh\ntool\n', 0o755);
    expect(run(at('.local/bin/other'), `${at('.local/bin')}:/usr/bin:/bin`)).to.match(started);
  });
});
