import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A program that runs one of several versions, which it keeps elsewhere. */
interface VersionManager {
  /** A program of its own in the folder of programs. */
  readonly program: RegExp;
  /** The variable that names its folder, and where that is in the home otherwise. */
  readonly variable?: string;
  readonly folder: string;
  /** What of the folder its programs need; given the names of its programs there. */
  readonly needs: (programs: readonly string[]) => readonly string[];
}

const managers: readonly VersionManager[] = [
  {
    program: /^rustup$/,
    variable: 'RUSTUP_HOME',
    folder: '.rustup',
    needs: () => ['toolchains', 'settings.toml'],
  },
  { program: /^juliaup$/, folder: '.julia/juliaup', needs: () => ['.'] },
  // As `go install golang.org/dl/go1.24.0@latest` installs.
  { program: /^go1\.\d[\w.]*$/, folder: 'sdk', needs: (programs) => programs },
];

/** Files with the versions that a person has chosen for everything, by the folder of shims that reads them. */
const chosen: readonly { readonly shims: RegExp; readonly files: readonly string[] }[] = [
  { shims: /\/\.?asdf\/shims$/, files: ['.tool-versions'] },
  { shims: /\/mise\/shims$/, files: ['.tool-versions', '.config/mise/config.toml'] },
];

/** Where the programs of a folder find the versions that they run, and the choice between them. Paths need not exist. */
export function versionsBehind(
  folder: string,
  programs: readonly string[],
  home: string,
  environment: Readonly<Record<string, string>>,
): string[] {
  const behind = managers.flatMap((manager) => {
    const own = programs.filter((name) => manager.program.test(name));
    if (own.length === 0) return [];
    const root = (manager.variable && environment[manager.variable]) || join(home, manager.folder);
    return manager.needs(own).map((name) => join(root, name));
  });
  const files = chosen.flatMap(({ shims, files }) => (shims.test(folder) ? files.map((file) => join(home, file)) : []));
  // Of elan, whose toolchains are beside its programs.
  const settings = join(dirname(folder), 'settings.toml');
  const beside = existsSync(join(dirname(folder), 'toolchains')) ? [settings] : [];
  return [...behind, ...beside, ...files.filter(choosesVersions)];
}

/** Whether a file does nothing but choose versions: settings of mise may hold variables and tokens as well. */
function choosesVersions(file: string): boolean {
  if (!file.endsWith('.toml')) return existsSync(file);
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim());
    const settings = lines.filter((line) => line !== '' && !line.startsWith('#'));
    return (
      /^\[tools\]/.test(settings[0] ?? '') &&
      settings.every((line) => !line.startsWith('[') || /^\[tools[\].]/.test(line))
    );
  } catch {
    return false;
  }
}
