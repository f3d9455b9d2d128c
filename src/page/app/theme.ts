/** Light and dark: as the system has it, or as the person chose. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'muster.theme';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** What the person chose in this browser. */
export function chosenTheme(): Theme {
  const kept = window.localStorage.getItem(key);
  return themes.find((one) => one === kept) ?? 'system';
}

/** Shows the page in what was chosen. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Goes from one to the next, and keeps it. */
export function nextTheme(): Theme {
  const theme = themes[(themes.indexOf(chosenTheme()) + 1) % themes.length] ?? 'system';
  window.localStorage.setItem(key, theme);
  applyTheme(theme);
  return theme;
}
