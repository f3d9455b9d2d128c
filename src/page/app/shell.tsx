import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { ActArea, useActStarter } from '#page/acts/act-starter.tsx';
import { useConnection } from '#page/api/connection.ts';
import { useKeys } from '#page/parts/keys.ts';
import { Notices } from '#page/parts/notices.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { screens } from './screens.ts';
import './shell.css';
import { SignedOut } from './signed-out.tsx';

interface ShellProps {
  /** Content at the end of the bar. */
  readonly menu: ReactNode;
}

/** The frame around every screen: the navigation, and whether the data is live. */
export function Shell({ menu }: ShellProps) {
  const connection = useConnection();
  const pathname = useLocation({ select: (location) => location.pathname });
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address says which one is shown
  useEffect(() => {
    const shown = nav.current?.querySelector('[data-active="true"]');
    shown?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [pathname]);
  if (connection.state === 'signed-out') return <SignedOut because={connection.because} />;
  return (
    <ActArea>
      <div className="shell" data-connection={connection.state}>
        <header className="bar">
          <Link to="/" className="wordmark">
            muster
          </Link>
          <nav ref={nav} aria-label="Screens">
            {screens.map(({ to, label, isAt }) => (
              <Link key={to} to={to} className="tab" data-active={isAt(pathname)}>
                {label}
              </Link>
            ))}
          </nav>
          <span className="spring" />
          <ConnectionNotice connection={connection} />
          <HelpButton />
          {menu}
        </header>
        <Outlet />
      </div>
      <Notices />
    </ActArea>
  );
}

function HelpButton() {
  const { help } = useActStarter();
  useKeys({ '?': help });
  return (
    <button type="button" className="quiet" onClick={help} aria-keyshortcuts="?">
      Keys <kbd>?</kbd>
    </button>
  );
}
