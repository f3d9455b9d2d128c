/** Light and dark: as the system has it, or as the person chose. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'muster.theme';

/** What the person chose in this browser. */
export function chosenTheme(): Theme {
  const kept = window.localStorage.getItem(key);
  return themes.find((one) => one === kept) ?? 'system';
}

/** Shows the page in what was chosen. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Keeps a choice, and shows the page in it. */
export function keepTheme(theme: Theme): void {
  window.localStorage.setItem(key, theme);
  applyTheme();
}
