/**
 * Node's module for the scheme of an address. An `import` of `node:http` reads each of its exports at once, and three of
 * them load undici, which takes longer than a whole command; `node:https` loads TLS.
 */
export function httpModuleFor(url: string): Pick<typeof import('node:https'), 'get' | 'request'> {
  return process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
}
