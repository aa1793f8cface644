import { describe, expect, test } from "vitest";
import type { Point, Task } from "#contract/index.ts";
import { hasDates, tasksAsCalendar, tasksAsMarkdown } from "#src/features/insights/task-files.ts";
import { clock } from "#src/i18n/format.ts";

const task = (text: string, parts: Partial<Task> = {}): Point => ({
  text,
  spans: [[65, 70]],
  task: { owner: null, due: null, done: false, ...parts },
});
const list = { id: "i1", createdAt: "2026-03-01T12:34:56.000Z", title: "The budget – tasks" };

test("writes tasks as a Markdown checklist without links, pictures or headings from the model", () => {
  const points = [
    task("Print it", { owner: "Anna", due: "2026-03-06", done: true }),
    task("See ![x](https://evil.example) and [y](z) <b># now</b>"),
  ];
  expect(tasksAsMarkdown({ ...list, points }, clock)).toBe(
    [
      "# The budget – tasks",
      "",
      "- [x] Print it (Anna, 2026-03-06, 1:05)",
      "- [ ] See \\!\\[x\\]\\(https://evil.example\\) and \\[y\\]\\(z\\) \\<b\\>\\# now\\</b\\> (1:05)",
      "",
    ].join("\n"),
  );
});

describe("calendar of tasks", () => {
  test("the calendar file contains the due dates of open tasks", () => {
    const points = [
      task("Without a day"),
      task("Done", { due: "2026-03-05", done: true }),
      task("Send; print, and \\ think\nagain", { due: "2026-03-06", owner: "Anna" }),
    ];
    expect([hasDates(points), hasDates(points.slice(0, 2))]).toEqual([true, false]);
    expect(tasksAsCalendar({ ...list, points }).split("\r\n")).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Parlance//Tasks//EN",
      "CALSCALE:GREGORIAN",
      "BEGIN:VEVENT",
      "UID:i1-2@parlance",
      "DTSTAMP:20260301T123456Z",
      "DTSTART;VALUE=DATE:20260306",
      "SUMMARY:Send\\; print\\, and \\\\ think\\nagain (Anna)",
      "DESCRIPTION:The budget – tasks",
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ]);
  });

  test("breaks lines at 75 bytes without cutting a character", () => {
    const text = "Bücher für die Schüler 📚📚 ".repeat(12).trim();
    const lines = tasksAsCalendar({ ...list, points: [task(text, { due: "2026-03-06" })] }).split("\r\n");
    const encoder = new TextEncoder();
    expect(Math.max(...lines.map((line) => encoder.encode(line).length))).toBeLessThanOrEqual(75);
    expect(lines.join("\r\n").replaceAll("\r\n ", "")).toContain(`SUMMARY:${text}\r\n`);
  });
});
