/** What a CLI needs in order to work when it is isolated, as data. All paths are relative to the person's home. */
export interface IsolatedNeeds {
  /** Where it keeps its own files, and the variable that names another folder for them. */
  readonly folder?: { readonly path: string; readonly variable: string };
  /** Hosts of its models and its sign-in: names, or `*.` and a name for all below it. */
  readonly hosts: readonly string[];
  /**
   * Files with which it signs in. It has a copy: what it renews is carried to the person's file and to other agents' copies, because
   * only one holder of a login may renew it.
   */
  readonly shared?: readonly string[];
  /** Files that it rewrites while it runs: it gets a copy at its first launch, and the person's stay as they are. */
  readonly copied?: readonly string[];
  /** Settings, instructions and extensions of the person that it may only read. */
  readonly readable?: readonly string[];
}

/** Where an isolated CLI finds a file that is named relative to the person's home. */
export function placeIn(
  { folder }: Pick<IsolatedNeeds, 'folder'>,
  path: string,
  home: string,
  environment: Readonly<Record<string, string>>,
): string {
  const other = folder && environment[folder.variable];
  if (!other) return `${home}/${path}`;
  const isInside = path.startsWith(`${folder.path}/`);
  return `${other}/${isInside ? path.slice(folder.path.length + 1) : path}`;
}
