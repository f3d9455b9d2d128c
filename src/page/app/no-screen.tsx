import { Link, useLocation } from '@tanstack/react-router';

/** The screen for unknown addresses. */
export function NoScreen() {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <main className="empty">
      <h1>There is nothing at this address</h1>
      <p>
        <code>{pathname}</code> is no address of muster’s page.
      </p>
      <Link to="/" className="button primary">
        All agents
      </Link>
    </main>
  );
}
