import type { ClientBase } from 'pg';

export async function settleSession(client: ClientBase): Promise<void> {
  await client.query(`set default_transaction_isolation = 'serializable'`);
}
