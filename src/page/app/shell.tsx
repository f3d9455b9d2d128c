import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnection } from '#page/api/connection.ts';
import { signOut } from '#page/api/session.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { screens } from './screens.ts';
import './shell.css';
import { SignedOut } from './signed-out.tsx';
import { chosenTheme, nextTheme } from './theme.ts';

/** What stands around every screen: where one can go, and whether what is shown is live. */
export function Shell() {
  const connection = useConnection();
  if (connection.state === 'signed-out') return <SignedOut because={connection.because} />;
  return (
    <div className="shell">
      <header className="bar">
        <Link to="/" className="wordmark">
          muster
        </Link>
        <nav aria-label="Screens">
          {screens.map(({ to, label }) => (
            <Link key={to} to={to} className="tab" activeOptions={{ exact: to === '/' }}>
              {label}
            </Link>
          ))}
        </nav>
        <span className="spring" />
        <ConnectionNotice connection={connection} />
        <ThemeButton />
        <button type="button" className="quiet" onClick={() => void signOut()}>
          Sign out
        </button>
      </header>
      <Outlet />
    </div>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <button type="button" className="quiet" onClick={() => setTheme(nextTheme())}>
      Theme: {theme}
    </button>
  );
}
