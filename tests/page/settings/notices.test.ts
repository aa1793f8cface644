import { expect, onTestFinished, test } from "vitest";
import type { NoticeSettings, NoticesAnswer } from "#contract/index.ts";
import { selectData } from "#machines/query.ts";
import { createNotices } from "#src/features/settings/notices.ts";
import { failure, tick } from "#tests/machines/harness.ts";

function start() {
  const calls: { json: NoticeSettings; answer(): void; refuse(): void }[] = [];
  const notices = createNotices({
    notices: async () => ({ completed: false, failed: false, mails: "sent" }),
    changeNotices: (json) => {
      const { promise, resolve, reject } = Promise.withResolvers<NoticesAnswer>();
      calls.push({ json, answer: () => resolve({ ...json, mails: "sent" }), refuse: () => reject(failure("network")) });
      return promise;
    },
  });
  onTestFinished(notices.stop);
  const shown = () => {
    const { completed, failed } = selectData(notices.list.getSnapshot()) ?? {};
    return [completed, failed];
  };
  return { notices, calls, shown };
}

test("shows a choice at once, and saves one made during a save", async () => {
  const { notices, calls, shown } = start();
  notices.choose({ completed: true });
  expect(calls).toEqual([]);
  await tick();
  notices.choose({ completed: true });
  expect(shown()).toEqual([true, false]);
  notices.choose({ failed: true });
  calls[0]?.answer();
  await tick();
  expect(calls.map(({ json }) => json)).toEqual([
    { completed: true, failed: false },
    { completed: true, failed: true },
  ]);
  calls[1]?.answer();
  await tick();
  expect([shown(), notices.get().said, calls.length]).toEqual([[true, true], { key: "settings:notices.saved" }, 2]);
});

test("resets a choice that can't be saved to the last saved one", async () => {
  const { notices, calls, shown } = start();
  await tick();
  notices.choose({ completed: true });
  calls[0]?.answer();
  await tick();
  notices.choose({ failed: true });
  expect(shown()).toEqual([true, true]);
  calls[1]?.refuse();
  await tick();
  expect(shown()).toEqual([true, false]);
  notices.choose({ completed: false });
  expect(calls[2]?.json).toEqual({ completed: false, failed: false });
});
