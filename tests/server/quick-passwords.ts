import { createPasswords } from "#server/account/passwords.ts";

/** Hashes passwords at Argon2's lowest cost: nearly every test signs somebody up. The real cost: passwords.test.ts. */
export const quickPasswords = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
