import { expect, test } from "vitest";
import { createFollower } from "#src/ui/follow.ts";

/** A box of 100 px that clamps its scroll position to its content, as browsers do. */
function boxOf(height: number) {
  let top = 0;
  let content = height;
  const end = () => Math.max(0, content - 100);
  return {
    clientHeight: 100,
    get scrollHeight() {
      return content;
    },
    get scrollTop() {
      return Math.min(top, end());
    },
    set scrollTop(value: number) {
      top = Math.min(Math.max(0, value), end());
    },
    grow: (by: number) => {
      content += by;
      top = Math.min(top, end());
    },
  };
}

test("keeps new words in sight, even if the text gets shorter", () => {
  const follower = createFollower();
  const box = boxOf(300);
  follower.follow(box);
  expect(box.scrollTop).toBe(200);
  box.grow(50);
  follower.follow(box);
  expect(box.scrollTop).toBe(250);
  box.grow(-120);
  follower.follow(box);
  box.grow(40);
  follower.follow(box);
  expect(box.scrollTop).toBe(170);
  expect(follower.isBehind()).toBe(false);
});

test("a followed text stays where the reader has scrolled", () => {
  const follower = createFollower();
  const box = boxOf(300);
  follower.follow(box);
  box.scrollTop = 0;
  // Words are rendered before the scroll event.
  box.grow(20);
  follower.follow(box);
  expect(box.scrollTop).toBe(0);
  // Words are rendered between the scroll event and the view's reaction to it.
  follower.scrolled(box);
  box.grow(20);
  follower.follow(box);
  expect(box.scrollTop).toBe(0);
  expect(follower.isBehind()).toBe(true);
});

test("follows again from the end or by the button", () => {
  const follower = createFollower();
  let told = 0;
  const stop = follower.subscribe(() => {
    told += 1;
  });
  const box = boxOf(300);
  follower.follow(box);
  for (const back of [
    () => {
      box.scrollTop = 200;
      follower.scrolled(box);
    },
    () => follower.catchUp(),
  ]) {
    box.scrollTop = 50;
    follower.scrolled(box);
    expect(follower.isBehind()).toBe(true);
    back();
    expect(follower.isBehind()).toBe(false);
    follower.follow(box);
    expect(box.scrollTop).toBe(200);
  }
  expect(told).toBe(4);
  stop();
  box.scrollTop = 0;
  follower.scrolled(box);
  expect(told).toBe(4);
});
