import { describe, expect, test } from "vitest";
import {
  canBeSaved,
  differences,
  type EditedPost,
  emptyPost,
  isOther,
  isOwnSlug,
  isSlug,
  type PersistedDraft,
  type PostValues,
  placeOf,
  placesIn,
  type Sending,
  savesItself,
  valuesOf,
  withCopy,
  withLoaded,
  withMine,
  withOffer,
  withoutOffer,
  withoutPlaces,
  withSaved,
  withServerVersion,
  withUndoneEdits,
} from "#machines/blog-admin/post-editor/rules.ts";
import { post, written } from "./posts.ts";

const cover = { url: "/images/1", width: 4, height: 3, alt: "" };
const edited = (parts: Partial<EditedPost> = {}): EditedPost => ({
  id: "p1",
  post: post(),
  values: written,
  saved: written,
  revision: 1,
  status: "draft",
  wanted: null,
  sending: null,
  theirs: null,
  offers: [],
  ...parts,
});
const changed: PostValues = { ...written, content: "Boats." };
const draft = (at: number, values = written): PersistedDraft => ({ at, revision: at * 10, values });
const sending = (parts: Partial<Sending> = {}): Sending => ({
  id: "p1",
  values: written,
  status: "published",
  revision: 1,
  asked: true,
  ...parts,
});

describe("slug rules", () => {
  test.each([
    ["harbors", true],
    ["harbors-at-9-pm", true],
    ["7", true],
    ["", false],
    ["-harbors", false],
    ["harbors-", false],
    ["har--bors", false],
    ["Harbors", false],
    ["häfen", false],
    ["a b", false],
    ["a".repeat(120), true],
    ["a".repeat(121), false],
  ])("validates the slug %j: %s", (slug, expected) => {
    expect(isSlug(slug)).toBe(expected);
  });

  test.each([
    ["nothing", "Harbors", "", false],
    ["that of the title", "Harbors at night!", "harbors-at-night", false],
    ["that of the title with a number", "Harbors", "harbors-12", false],
    ["that of a title with a number", "Top 10", "top-11", false],
    ["that of a title with accents, between signs", "¡Élan & Straße!", "elan-stra-e", false],
    ["another one", "Harbors", "ports", true],
    ["a longer one", "Harbors", "harbors-1-x", true],
  ])("decides whether a slug that is %s was typed by hand: %#", (_, title, slug, own) => {
    expect(isOwnSlug({ ...written, title, slug }, "draft")).toBe(own);
    expect(isOwnSlug({ ...written, title, slug }, "published")).toBe(true);
  });

  test("allows a missing slug but no invalid one, and requires a title", () => {
    expect(canBeSaved({ ...written, slug: "" })).toBe(true);
    expect(canBeSaved({ ...written, slug: "ports" })).toBe(true);
    expect(canBeSaved({ ...written, slug: "Ports" })).toBe(false);
    expect(canBeSaved({ ...written, title: " \n" })).toBe(false);
  });
});

describe("placeholder of a picture in the text", () => {
  const content = `a${placeOf("1-2", "cat.png")}b${placeOf("x_9", "dog")}c`;

  test("a picture's Markdown contains its description without brackets and line breaks", () => {
    expect(placeOf("1-2", "a [cat]\nhere")).toBe("![a  cat  here](upload:1-2)");
  });

  test("finds placeholders by id, in order, and removes them", () => {
    expect(placesIn(content)).toEqual(["1-2", "x_9"]);
    expect(withoutPlaces(content)).toBe("abc");
    expect([placesIn("![cat](/images/1)"), withoutPlaces("![cat](/images/1)")]).toEqual([[], "![cat](/images/1)"]);
  });

  test("ignores placeholders in comparisons, but keeps them in storage", () => {
    const placed = { ...written, content: `${written.content}${placeOf("1", "cat")}` };
    expect(differences(placed, written)).toEqual([]);
    expect([
      isOther(placed, written),
      isOther({ ...written }, written),
      isOther({ ...written, title: "Other" }, written),
    ]).toEqual([true, false, true]);
  });
});

describe("differences between two versions", () => {
  test.each([
    ["title", { title: "Ports" }],
    ["slug", { slug: "ports" }],
    ["summary", { summary: "On ports." }],
    ["content", { content: "Boats." }],
    ["topics", { topics: ["sea"] }],
    ["language", { language: "de" }],
    ["cover", { cover }],
  ] as const)("reports only the field %s as different", (field, change) => {
    expect(differences({ ...written, ...change }, written)).toEqual([field]);
  });

  test("reports no difference for equal contents, whoever wrote them", () => {
    const one = { ...written, topics: ["sea", "night"], cover };
    expect(differences({ ...one, topics: ["sea", "night"] }, one)).toEqual([]);
    expect(differences({ ...one, topics: ["night", "sea"] }, one)).toEqual(["topics"]);
    expect(valuesOf(post({ cover }))).toEqual({
      ...emptyPost("en"),
      title: "Harbors",
      slug: "harbors",
      content: "Ships.",
      topics: ["sea"],
      cover,
    });
  });
});

test("autosaves only a changed draft with a title", () => {
  expect(savesItself(edited({ values: changed }))).toBe(true);
  expect(savesItself(edited())).toBe(false);
  expect(savesItself(edited({ values: changed, status: "published" }))).toBe(false);
  expect(savesItself(edited({ values: { ...changed, title: "" } }))).toBe(false);
});

describe("answer to a save", () => {
  const answer = post({ id: "p2", slug: "made", revision: 5, status: "published" });

  test("takes over the server's slug unless another one was typed meanwhile, and marks the sent values as saved", () => {
    const {
      saved,
      values,
      id,
      revision,
      status,
      sending: left,
    } = withSaved(edited({ values: changed, sending: sending() }), answer);
    expect([id, revision, status, left]).toEqual(["p2", 5, "published", null]);
    expect(values).toEqual({ ...changed, slug: "made" });
    expect(saved).toEqual({ ...written, slug: "made" });
  });

  test("keeps a slug that was typed during the save", () => {
    const typed = { ...written, slug: "mine" };
    expect(withSaved(edited({ values: typed, sending: sending() }), answer).values.slug).toBe("mine");
  });
});

describe("failed save", () => {
  test("restores the person's wish after a failed save, unless there is a newer one", () => {
    expect(withUndoneEdits(edited({ sending: sending() }))).toMatchObject({ wanted: "published", sending: null });
    expect(withUndoneEdits(edited({ sending: sending({ asked: false }) })).wanted).toBeNull();
    expect(withUndoneEdits(edited({ sending: sending(), wanted: "draft" })).wanted).toBe("draft");
    expect(withUndoneEdits(edited()).wanted).toBeNull();
  });
});

describe("conflict between two versions", () => {
  const theirs = post({ content: "Theirs.", revision: 7, status: "published" });
  const both = edited({ values: changed, theirs, offers: [draft(1)] });

  test("replaces their version with mine, with my wanted status or else theirs", () => {
    expect(withMine(both)).toMatchObject({
      theirs: null,
      revision: 7,
      status: "published",
      wanted: "published",
      values: changed,
    });
    expect(withMine({ ...both, wanted: "draft" })).toMatchObject({ status: "published", wanted: "draft" });
    const alone = edited({ values: changed });
    expect(withMine(alone)).toBe(alone);
  });

  test("a conflict shows the server's version and offers the user's first", () => {
    const next = withServerVersion({ ...both, wanted: "draft" }, 9);
    expect(next).toMatchObject({ theirs: null, wanted: null, revision: 7, status: "published", values: { content: "Theirs." } });
    expect(next.offers).toEqual([{ at: 9, revision: 7, values: changed }, draft(1)]);
    const alone = edited({ values: changed });
    expect(withServerVersion(alone, 9)).toBe(alone);
  });

  test("turns my version into another draft with its own slug", () => {
    const copy = withCopy({ ...both, values: { ...changed, slug: "harbors" } });
    expect(copy).toMatchObject({ id: null, post: null, revision: 0, status: "draft", wanted: "draft", theirs: null });
    expect(copy.values).toEqual({ ...changed, slug: "" });
  });
});

describe("stored draft in the browser", () => {
  const offers = [draft(3, changed), draft(2), draft(1, { ...written, title: "First" })];

  test("offers a stored draft unless the server has the same text", () => {
    const there = post();
    const same = draft(4, valuesOf(there));
    expect(withLoaded(edited({ offers: [same, ...offers] }), there).offers).toEqual(offers);
  });

  test("replaces the saved version with the offer, which is then no longer offered", () => {
    expect(withOffer(edited({ offers }), { at: 2, now: 9 })).toMatchObject({
      values: written,
      revision: 20,
      offers: [offers[0], offers[2]],
    });
  });

  test("replaces unsaved changes with the offer, and offers these changes first", () => {
    const typed = { ...written, content: "Typed." };
    const next = withOffer(edited({ values: typed, revision: 4, offers }), { at: 3, now: 9 });
    expect(next.offers).toEqual([{ at: 9, revision: 4, values: typed }, offers[1], offers[2]]);
    expect([next.values, next.revision]).toEqual([changed, 30]);
  });

  test("ignores an unknown offer, and removes only the dismissed one", () => {
    const context = edited({ offers });
    expect(withOffer(context, { at: 8, now: 9 })).toBe(context);
    expect(withoutOffer(context, 2).offers).toEqual([offers[0], offers[2]]);
  });
});
