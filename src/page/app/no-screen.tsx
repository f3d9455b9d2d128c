import { Link } from '@tanstack/react-router';

/** An address that no screen has. */
export function NoScreen() {
  return (
    <main className="empty">
      <h1>There is nothing at this address</h1>
      <Link to="/">To the agents</Link>
    </main>
  );
}
