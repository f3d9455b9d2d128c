/** Light or dark: as the system, or as the person chose. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'muster.theme';

/** The person's choice in this browser. */
export function chosenTheme(): Theme {
  const kept = window.localStorage.getItem(key);
  return themes.find((one) => one === kept) ?? 'system';
}

/** Applies the choice to the page. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Saves a choice, and applies it. */
export function keepTheme(theme: Theme): void {
  window.localStorage.setItem(key, theme);
  applyTheme();
}
