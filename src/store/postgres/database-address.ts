import type { PoolConfig } from 'pg';

export interface DatabaseAddress {
  readonly config: PoolConfig;
  readonly name: string;
}
