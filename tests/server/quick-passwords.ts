import { createPasswords } from "#server/account/passwords.ts";

/** Passwords hashed at the least cost that Argon2 allows: nearly every test signs somebody up. The real cost: passwords.test.ts. */
export const quickPasswords = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
