import { defineEntity, p } from '@mikro-orm/sql';

/** A code that signs one browser in, once. */
export const SignInCodeEntity = defineEntity({
  name: 'SignInCode',
  tableName: 'sign_in_code',
  properties: {
    /** The result of `storedHashOf` for the code's hash. */
    hash: p.string().primary(),
    /** Milliseconds since 1970. */
    expiresAt: p.bigint('number'),
  },
});
