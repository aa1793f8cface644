import type { KnownDevice } from "./devices.ts";
import { accountLimit, addressLimit, deviceLimit, devicesLimit, everywhereLimit, type Throttle } from "./throttle.ts";

/** Who tries to sign in, from where. */
interface Attempt {
  email: string;
  /** The network that the request comes from (http/client-address.ts). */
  address: string;
  /** On which device, if somebody has signed in to this account on it before. */
  device: KnownDevice | undefined;
}

/**
 * Counts a sign-in before its password is looked at. A device that is known to the account has an allowance of its own: guesses from
 * elsewhere never keep its owner out. All others share theirs, and wait when it is used up, also with the right password; a mailed link
 * to a new password makes a device known.
 * @returns to be called when the password was right
 * @throws Problem `tooManyRequests`
 */
export async function countSignIn(throttle: Throttle, { email, address, device }: Attempt): Promise<() => Promise<void>> {
  if (device !== undefined) {
    const own = `${device.userId}\0${device.id}`;
    await throttle.count(deviceLimit, own);
    await throttle.count(devicesLimit, device.userId);
    return () => throttle.forget(deviceLimit, own);
  }
  const account = attemptsFrom(address, email);
  await throttle.count(accountLimit, account);
  await throttle.count(addressLimit, address);
  await throttle.count(everywhereLimit, email);
  return () => throttle.forget(accountLimit, account);
}

/** What sign-ins to an account from one network are counted under. */
export function attemptsFrom(address: string, email: string): string {
  return `${address}\0${email}`;
}
