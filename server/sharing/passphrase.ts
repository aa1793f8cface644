import type { Passwords } from "#server/account/passwords.ts";
import { Problem } from "#server/errors/problem.ts";
import { sharedAddressLimit, sharedEverywhereLimit, sharedLimit, type Throttle } from "#server/session/throttle.ts";

interface Attempt {
  /** The link's id. */
  link: string;
  /** Of its passphrase. */
  hash: string;
  passphrase: string;
  /** The network that the request comes from (http/client-address.ts). */
  address: string;
}

/**
 * Counted before it is compared: for this link from this address, from this address whatever the link, and for this link from everywhere.
 * @throws Problem `wrongPassword`, `tooManyRequests`
 */
export async function checkPassphrase(
  { throttle, passwords }: { throttle: Throttle; passwords: Passwords },
  { link, hash, passphrase, address }: Attempt,
): Promise<void> {
  const own = `${address}\0${link}`;
  await throttle.count(sharedLimit, own);
  await throttle.count(sharedAddressLimit, address);
  await throttle.count(sharedEverywhereLimit, link);
  if (!(await passwords.verify(passphrase, hash))) throw new Problem("wrongPassword", "The passphrase is wrong.");
  await throttle.reset(sharedLimit, own);
}
