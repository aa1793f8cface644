import { createServer } from "node:http";
import type { Browser, Page } from "playwright";
import * as v from "valibot";
import { afterAll, beforeAll, test } from "vitest";
import { expect, type Parlance, sharedBrowser, sharedPage, startParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";

let browser: Browser;
let server: Parlance;
let origin: string;
const told: string[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  told.push(Buffer.concat(chunks).toString());
  response.writeHead(request.url === "/broken" ? 500 : 200).end("noted by the archive");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = v.parse(v.object({ port: v.number() }), receiver.address());
  origin = `http://localhost:${port}`;
  browser = await sharedBrowser();
  server = await startParlance({ env: { WEBHOOK_ALLOW_HOSTS: `localhost:${port}` } });
});
const pages = sharedPage({
  get browser() {
    return browser;
  },
  get server() {
    return server;
  },
});
afterAll(async () => {
  await server?.stop();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("creates a webhook, tests it, shows its log, pauses and removes it", async () => {
  const { page } = await pages.begin("/settings/developer", [/422 \(Unprocessable/]);
  const card = page.getByRole("region", { name: "Webhooks", exact: true });
  await card.getByText("You have no webhooks.").waitFor();
  await button(page, "New webhook…").click();
  const address = card.getByLabel("Address of your server");
  await expect(address).toBeFocused();
  await page.keyboard.press("Enter");
  await card.getByText("Enter the address of your server.").waitFor();
  await address.fill("https://10.0.0.1/");
  await page.keyboard.press("Enter");
  await card.getByText("lead to a public server").waitFor();
  await expect(address).toHaveValue("https://10.0.0.1/");
  await screenshots(page, "webhooks-form");
  await address.fill(`${origin}/broken`);
  await button(page, "Create webhook").click();
  await expect(page.getByRole("heading", { name: "The webhook’s secret" })).toBeFocused();
  await expect(page.getByTestId("webhook-secret")).toHaveText(/^whsec_[\w+/]{43}=$/);
  await screenshots(page, "webhooks-secret");
  await button(page, "Done").click();
  await expect(button(page, "New webhook…")).toBeFocused();

  await button(page, `Log of ${origin}/broken`).click();
  await expect(page.getByRole("heading", { name: "Delivery log" })).toBeFocused();
  await button(page, "Send test").click();
  await card.getByText("Your server answered 500.").waitFor();
  await card.getByText("noted by the archive").waitFor();
  await card.getByText(/^Next attempt: /).waitFor();
  expect(JSON.parse(told[0] ?? "")).toMatchObject({ type: "webhook.test", data: {} });
  expect(await violations(page, { part: "main" })).toEqual([]);
  await screenshots(page, "webhooks-log");
  await button(page, "Back to your webhooks").click();
  await expect(page.getByRole("heading", { name: "Your webhooks" })).toBeFocused();
  // The second attempt may have happened by now.
  await card.getByText(/^\d attempts? (has|have) failed since /).waitFor();

  await button(page, `Pause ${origin}/broken`).click();
  await card.getByText(/^Paused since .* New messages wait until you resume\.$/).waitFor();
  expect(await violations(page, { part: "main" })).toEqual([]);
  await screenshots(page, "webhooks-list");
  await button(page, `Resume ${origin}/broken`).click();
  await expect(button(page, `Pause ${origin}/broken`)).toBeFocused();
  await button(page, `Remove ${origin}/broken`).click();
  await page.getByRole("dialog", { name: "Remove this webhook?" }).getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("heading", { name: "You have no webhooks." })).toBeFocused();
});
