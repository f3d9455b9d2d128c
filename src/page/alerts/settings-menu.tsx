import { lazy, Suspense, useId, useState } from 'react';
import { createPortal } from 'react-dom';
import { actFailureText } from '#page/api/failure-text.ts';
import { signOut } from '#page/api/session.ts';
import { showNotice } from '#page/parts/notices.tsx';
import { chosenTheme, keepTheme, type Theme, themes } from '#page/style/theme.ts';
import { chime } from './chime.ts';
import { type AlertSettings, alertSettings, keepAlertSettings } from './settings.ts';

const themeWords: Readonly<Record<Theme, string>> = { system: 'Match system', light: 'Light', dark: 'Dark' };

const RotateDialog = lazy(async () => ({ default: (await import('./rotate-dialog.tsx')).RotateDialog }));
const NotifyDialog = lazy(async () => ({ default: (await import('./notify-dialog.tsx')).NotifyDialog }));

function leave(): void {
  signOut().catch((error: unknown) => {
    showNotice({ tone: 'failed', text: `This browser is still signed in: ${actFailureText(error)}` });
  });
}

/** The menu with the person's settings for alerts and colours, and the sign-out. */
export function SettingsMenu() {
  const id = useId();
  const [open, setOpen] = useState<'notify' | 'rotate'>();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <button type="button" className="quiet" popoverTarget={id}>
        Settings
      </button>
      <div id={id} popover="auto" className="menu">
        <AlertChoices />
        <button
          type="button"
          className="button"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={() => setOpen('notify')}
        >
          Notifications elsewhere …
        </button>
        <a className="button" href="/profiles">
          Profiles of agents
        </a>
        <ThemeChoices />
        <button
          type="button"
          className="button danger"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={() => setOpen('rotate')}
        >
          Revoke all tokens …
        </button>
        <button type="button" className="button" onClick={leave}>
          Sign out of this browser
        </button>
      </div>
      {/* Outside the bar, because its heading is not one of the bar. */}
      {open !== undefined &&
        createPortal(
          <Suspense>
            {open === 'notify' ? <NotifyDialog onClose={close} /> : <RotateDialog onClose={close} />}
          </Suspense>,
          document.body,
        )}
    </>
  );
}

function AlertChoices() {
  const [settings, setSettings] = useState(alertSettings);
  const choose = (chosen: AlertSettings): void => {
    keepAlertSettings(chosen);
    setSettings(chosen);
  };
  const askFirst = async (wanted: boolean): Promise<void> => {
    const isAllowed = !wanted || (await Notification.requestPermission()) === 'granted';
    choose({ ...settings, notifications: wanted && isAllowed });
  };
  return (
    <fieldset>
      <legend>When an agent begins to wait for you</legend>
      <label>
        <input
          type="checkbox"
          checked={settings.notifications}
          onChange={(event) => void askFirst(event.target.checked)}
        />
        show a notification
      </label>
      <label>
        <input
          type="checkbox"
          checked={settings.sound}
          onChange={({ target: { checked } }) => {
            choose({ ...settings, sound: checked });
            if (checked) chime();
          }}
        />
        sound
      </label>
    </fieldset>
  );
}

function ThemeChoices() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <fieldset>
      <legend>Colours</legend>
      {themes.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="theme"
            checked={theme === one}
            onChange={() => {
              keepTheme(one);
              setTheme(one);
            }}
          />
          {themeWords[one]}
        </label>
      ))}
    </fieldset>
  );
}
