import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import {
  CreatedWebhook,
  DeliveriesAnswer,
  type NewWebhook,
  type WebhookDelivery,
  WebhookMessage,
  WebhooksAnswer,
  webhookEvents,
} from "#contract/index.ts";
import { eventually, type Person, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { openMedia } from "#tests/server/media.ts";

export const hooks = "/users/me/webhooks";

/** A request that the webhook's receiver got. */
interface Got {
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export const answering =
  (status: number, text = "", headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(text);
  };

/** A server that receives webhooks as `hooks.test`. @param answers by path; other paths answer 204 */
export async function openReceiver(answers: Record<string, Answer> = {}) {
  const got: Got[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      got.push({ headers: request.headers, body });
      (answers[request.url ?? ""] ?? answering(204))(response, request);
    });
  };
  const anything = new Proxy<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>(
    {},
    { get: () => listener },
  );
  const { port } = await openMedia(anything);
  return { port, got, answers, at: (path: string) => `http://hooks.test:${port}${path}` };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Names that these tests' DNS resolves. */
export const names: Record<string, string[]> = {
  "hooks.test": ["127.0.0.1"],
  "inside.test": ["10.0.0.7"],
  "public.test": ["8.8.8.8"],
};
const resolve = async (name: string) => {
  const known = names[name];
  if (known === undefined) throw new Error("no such name");
  // Another address at each lookup; the last one stays.
  const address = known.length > 1 ? known.shift() : known[0];
  return [{ address: address ?? "" }];
};

/** A server that may send to `receiver`, and a user. */
export async function sendingTo(receiver: Pick<Receiver, "port">, options: Parameters<typeof startTestServer>[0] = {}) {
  const env = { WEBHOOK_ALLOW_HOSTS: `hooks.test:${receiver.port}`, ...options.env };
  const server = await startTestServer({ resolve, webhookTimes: { pollMs: 60, attemptMs: 5_000 }, ...options, env });
  return { server, person: await signUp(server) };
}

export async function makeWebhook(person: Person, url: string, wanted: Partial<NewWebhook> = {}): Promise<CreatedWebhook> {
  return read(await person.call("POST", hooks, { url, events: [...webhookEvents], ...wanted }), 201, CreatedWebhook);
}

export const webhooksOf = async (person: Person) => (await read(await person.call("GET", hooks), 200, WebhooksAnswer)).webhooks;

export const logOf = async (person: Person, id: string) =>
  (await read(await person.call("GET", `${hooks}/${id}/deliveries`), 200, DeliveriesAnswer)).deliveries;

/** Waits until the newest message of a webhook meets the condition. */
export async function logged(
  person: Person,
  id: string,
  isSo: (newest: WebhookDelivery) => boolean = ({ attempts }) => attempts > 0,
): Promise<WebhookDelivery> {
  const log = await eventually(
    () => logOf(person, id),
    ([newest]) => newest !== undefined && isSo(newest),
  );
  const [newest] = log;
  if (newest === undefined) throw new Error("nothing is logged");
  return newest;
}

const Message = v.pipe(v.string(), v.parseJson(), WebhookMessage);

/**
 * Verifies a signature by the Standard Webhooks specification and reads the message. @throws when it wasn't signed with
 * this secret
 */
export function opened({ headers, body }: Got, secret: string): WebhookMessage {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signature = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  if (headers["webhook-signature"] !== signature) throw new Error("The signature is wrong.");
  return v.parse(Message, body);
}
