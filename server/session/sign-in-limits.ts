import type { KnownDevice } from "./devices.ts";
import { accountLimit, addressLimit, deviceLimit, devicesLimit, everywhereLimit, type Throttle } from "./throttle.ts";

/** The account that somebody tries to sign in to, and where the request comes from. */
interface Attempt {
  email: string;
  /** The network that the request comes from (http/client-address.ts). */
  address: string;
  /** The device, if it is known to this account. */
  device: KnownDevice | undefined;
}

/**
 * Counts a sign-in before its password is checked. A device known to the account has its own allowance, so that guesses
 * from elsewhere never lock its owner out. All other devices share one. Once it is used up, they have to wait even with
 * the right password; choosing a new password by a mailed link makes a device known.
 * @returns a function to call when the password was right
 * @throws Problem `tooManyRequests`
 */
export async function countSignIn(throttle: Throttle, { email, address, device }: Attempt): Promise<() => Promise<void>> {
  if (device !== undefined) {
    const own = `${device.userId}\0${device.id}`;
    await throttle.count(deviceLimit, own);
    await throttle.count(devicesLimit, device.userId);
    return () => throttle.reset(deviceLimit, own);
  }
  const account = attemptsFrom(address, email);
  await throttle.count(accountLimit, account);
  await throttle.count(addressLimit, address);
  await throttle.count(everywhereLimit, email);
  return () => throttle.reset(accountLimit, account);
}

/** The key for sign-ins to an account from one network. */
export function attemptsFrom(address: string, email: string): string {
  return `${address}\0${email}`;
}
