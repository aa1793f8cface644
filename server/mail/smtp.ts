import { createTransport } from "nodemailer";
import type { Deliver } from "./outbox.ts";

/** The ms of silence after which a mail server is given up for now. */
const timeoutMs = 20_000;

/**
 * Sends through a mail server.
 * @param url smtp(s)://user:password@host:port
 * @param from the sender, such as "Parlance <no-reply@example.org>"
 */
export function smtpDelivery(url: string, from: string): { deliver: Deliver; check(): Promise<void>; close(): void } {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    deliver: async ({ recipient, subject, text, html }, replyTo) => {
      // As an object, so that an address from a form is never parsed for several recipients.
      const answers = replyTo === null ? {} : { replyTo: { name: "", address: replyTo } };
      await transport.sendMail({ from, to: { name: "", address: recipient }, ...answers, subject, text, html });
    },
    check: async () => void (await transport.verify()),
    close: () => transport.close(),
  };
}
