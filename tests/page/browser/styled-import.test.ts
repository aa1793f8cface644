import { beforeEach, expect, test, vi } from "vitest";
import { importStyled } from "#src/browser/styled-import.ts";

interface Link {
  href: string;
  onload?: () => void;
  onerror?: () => void;
  remove(): void;
}

let links: Link[] = [];

beforeEach(() => {
  links = [];
  vi.stubGlobal("document", {
    createElement: () => ({ remove: () => {} }),
    querySelector: (selector: string) => (selector.includes("/assets/there.css") ? {} : null),
    head: { append: (link: Link) => links.push(link) },
  });
});

test("a script is asked for together with its style sheets, each of which is asked for once, and comes when all are there", async () => {
  const load = vi.fn(async () => "module");
  const both = Promise.all([importStyled(load, ["assets/a.css", "assets/there.css"]), importStyled(load, ["assets/a.css"])]);
  const done = vi.fn();
  void both.then(done);
  await expect.poll(() => load.mock.calls.length).toBe(2);
  expect(links.map(({ href }) => href)).toEqual(["/assets/a.css"]);
  expect(done).not.toHaveBeenCalled();
  links[0]?.onload?.();
  expect(await both).toEqual(["module", "module"]);
  expect(await importStyled(load)).toBe("module");
});

test("a style sheet that can't be loaded is said, and asked for again", async () => {
  const load = async () => "module";
  const failed = importStyled(load, ["assets/b.css"]);
  links[0]?.onerror?.();
  await expect(failed).rejects.toThrow("/assets/b.css");
  const second = importStyled(load, ["assets/b.css"]);
  links[1]?.onload?.();
  expect(await second).toBe("module");
});
