/** What is added to a CLI's launch. */
export interface LaunchAddition {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An empty addition. */
export const noAddition: LaunchAddition = { args: [], env: {} };

/** Both additions combined. If both set a variable, its values are JSON objects, which are merged. */
export function joined(first: LaunchAddition, second: LaunchAddition): LaunchAddition {
  const shared = Object.keys(first.env).filter((name) => Object.hasOwn(second.env, name));
  const together = shared.map((name) => {
    const objects = [first, second].map(({ env }) => JSON.parse(env[name] ?? '{}') as object);
    return [name, JSON.stringify(Object.assign({}, ...objects))];
  });
  return {
    args: [...first.args, ...second.args],
    env: { ...first.env, ...second.env, ...Object.fromEntries(together) },
  };
}
