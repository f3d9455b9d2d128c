/**
 * Lets xterm colour its letters beyond the palette of a terminal. It writes such colours as a style attribute, which
 * the content security policy refuses; what a script sets through `style` it allows.
 */
export function letSpansBeStyled(): void {
  HTMLSpanElement.prototype.setAttribute = function setAttribute(this: HTMLSpanElement, name: string, value: string) {
    if (name === 'style') this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };
}
