import { expect, test, vi } from "vitest";
import type { UserProfile } from "#contract/index.ts";
import { ada, answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";

const name = page.getByLabelText("Your name");
const picture = page.getByRole("region", { name: "Picture", exact: true });
const button = (text: string) => page.getByRole("button", { name: text, exact: true });
const said = (text: string) => expect.element(page.getByRole("status").getByText(text, { exact: true })).toBeVisible();
const refused = (text: string) => expect.element(page.getByRole("alert").getByText(text, { exact: true })).toBeVisible();

/** A picture file as the user chooses it. */
const file = (type: string, content: BlobPart = "x", fileName = "a.png") => new File([content], fileName, { type });

async function png(): Promise<File> {
  const canvas = new OffscreenCanvas(4, 3);
  canvas.getContext("2d")?.fillRect(0, 0, 4, 3);
  return file("image/png", await canvas.convertToBlob());
}

const choose = (chosen: File) => chooseFiles(picture.getByLabelText("Choose a picture").last(), chosen);

test("saves the name, and shows the server's version of it", async () => {
  const sent: unknown[] = [];
  answer({
    "PATCH /users/me": async ({ request }) => {
      sent.push(await request.json());
      return { ...ada, name: "Ada Lovelace" };
    },
  });
  await openPage("/settings/account");
  await expect.element(name).toHaveValue("Ada");
  await name.fill("x".repeat(101));
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("Use at most 100 characters.")).toBeVisible();
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue("x".repeat(101));
  expect(sent).toEqual([]);
  await name.fill("Ada Lovelace ");
  await userEvent.keyboard("{Enter}");
  await said("Name saved.");
  expect(sent).toEqual([{ name: "Ada Lovelace " }]);
  expect(JSON.parse(localStorage.getItem("persist:root") ?? "").user.name).toBe("Ada Lovelace");
  await expect.element(name).toHaveValue("Ada Lovelace");
});

test("keeps the typed name when the server could not save it, and says why", async () => {
  answer({ "PATCH /users/me": refusal(500, "internal") });
  await openPage("/settings/account");
  await name.fill("Grace");
  await button("Save").first().click();
  await refused("Something went wrong on the server. Try again. If it happens again, tell your administrator.");
  await expect.element(name).toHaveValue("Grace");
  await expect.element(page.getByText("Name saved.")).not.toBeInTheDocument();
});

test("shows the first letter of the name or address while there is no picture", async () => {
  await openPage("/settings/account", { profile: { name: "émile" } });
  await expect.element(picture.getByText("É", { exact: true })).toBeVisible();
  await openPage("/about");
  answer({ "GET /users/me": { ...ada, id: "zoe", name: "", email: "zoe@example.org" } });
  await openPage("/settings/account", { profile: { id: "zoe", name: "", email: "zoe@example.org" } });
  await expect.element(picture.getByText("Z", { exact: true })).toBeVisible();
  await expect
    .element(picture.getByText("Choose a picture, or drop one here: PNG, JPEG, WebP or GIF, up to 5 MB.", { exact: true }))
    .toBeVisible();
  await expect.element(button("Use this picture")).not.toBeInTheDocument();
  await expect.element(button("Remove picture")).not.toBeInTheDocument();
});

test("refuses an invalid or too large picture without sending it", async () => {
  await openPage("/settings/account");
  await choose(file("text/plain", "no picture", "a.txt"));
  await refused("This file can’t be used as a picture. Choose a PNG, JPEG, WebP or GIF file.");
  await choose(file("image/png", new Uint8Array(5_000_001)));
  await refused("This picture is larger than 5 MB. Choose a smaller one.");
  await choose(file("image/png", "no picture either"));
  await refused("This picture can’t be read. Choose another one.");
  await expect.element(button("Use this picture")).not.toBeInTheDocument();
});

test("shows a preview of a picture, and lets the user discard it", async () => {
  await openPage("/settings/account");
  await choose(await png());
  await expect.element(page.getByAltText("Preview")).toBeVisible();
  await button("Discard").click();
  await expect.element(picture.getByRole("button", { name: "Choose a picture" })).toHaveFocus();
  await expect.element(page.getByAltText("Preview")).not.toBeInTheDocument();
});

test("uploads the picture unchanged, shows it, and removes it", async () => {
  let profile: UserProfile = ada;
  let sent: [string | null, number] | undefined;
  const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
  answer({
    "GET /users/me": () => profile,
    "PUT /users/me/avatar": async ({ request }) => {
      sent = [request.headers.get("Content-Type"), (await request.blob()).size];
      profile = { ...ada, avatar_url: pixel };
      return profile;
    },
    "DELETE /users/me/avatar": () => {
      profile = ada;
      return profile;
    },
  });
  await openPage("/settings/account");
  const chosen = await png();
  await choose(chosen);
  await button("Use this picture").click();
  await said("Picture saved.");
  expect(sent).toEqual(["image/png", chosen.size]);
  await expect.element(page.getByAltText("Your picture")).toHaveAttribute("src", pixel);
  await expect.element(page.getByAltText("Preview")).not.toBeInTheDocument();
  await expect.poll(() => document.querySelectorAll("nav img").length).toBeGreaterThan(0);
  await button("Remove picture").click();
  await said("Picture removed.");
  await expect.element(page.getByText("Picture saved.")).not.toBeInTheDocument();
  expect(document.querySelectorAll("nav img")).toHaveLength(0);
});

test.each([
  ["badRequest", 400, "This picture can’t be read. Choose another one."],
  ["notImage", 415, "This picture can’t be read. Choose another one."],
  ["tooLarge", 413, "This picture has more than 40 million pixels. Choose a smaller one."],
  ["internal", 500, "Something went wrong on the server. Try again. If it happens again, tell your administrator."],
])("keeps a picture that the server refuses with %s, and says why", async (code, status, text) => {
  answer({ "PUT /users/me/avatar": refusal(status, code) });
  await openPage("/settings/account");
  await choose(await png());
  await button("Use this picture").click();
  await refused(text);
  await expect.element(page.getByAltText("Preview")).toBeVisible();
  await button("Discard").click();
  await expect.element(page.getByText(text, { exact: true })).not.toBeInTheDocument();
});

test("uploads a picture once when the button is pressed twice", async () => {
  const held = holdAnswer();
  answer({ "PUT /users/me/avatar": held.answer });
  await openPage("/settings/account");
  await choose(await png());
  await button("Use this picture").click();
  await expect.element(button("Use this picture")).toHaveAttribute("aria-busy", "true");
  await button("Use this picture").click({ force: true });
  expect(held.calls()).toBe(1);
  held.give(ada);
  await expect.element(button("Use this picture")).not.toBeInTheDocument();
});

test("releases the preview when the page is left", async () => {
  const revoked = vi.spyOn(URL, "revokeObjectURL");
  await openPage("/settings/account");
  await choose(await png());
  const { src } = document.querySelector<HTMLImageElement>('img[alt="Preview"]') ?? { src: "" };
  await openPage("/feedback");
  await expect.poll(() => revoked.mock.calls.flat()).toContain(src);
  revoked.mockRestore();
});
