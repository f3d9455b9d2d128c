/**
 * Lets xterm use colours beyond the terminal's palette. It writes them as a style attribute, which the content security
 * policy refuses, but the policy allows styles that a script sets through `style`.
 */
export function allowSpanStyles(): void {
  HTMLSpanElement.prototype.setAttribute = function setAttribute(this: HTMLSpanElement, name: string, value: string) {
    if (name === 'style') this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };
}
