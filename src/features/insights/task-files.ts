import type { Point } from "#contract/index.ts";

interface TaskFile {
  title: string;
  points: readonly Point[];
}

/** Characters with a meaning in Markdown. Escaped, so that the model's text creates no links, pictures or headings. */
const special = /[\\`*_{}[\]()<>#+!|~-]/g;
const escaped = (text: string): string => text.replace(special, "\\$&");

/**
 * Formats tasks as a Markdown checklist, as GitHub, Obsidian and others show it.
 * @param timeOf formats the time at which the task was mentioned
 */
export function tasksAsMarkdown({ title, points }: TaskFile, timeOf: (seconds: number) => string): string {
  const lines = points.flatMap(({ text, task, spans: [first] }) => {
    if (task === undefined) return [];
    const facts = [task.owner === null ? "" : escaped(task.owner), task.due ?? "", first === undefined ? "" : timeOf(first[0])];
    const shown = facts.filter((fact) => fact !== "").join(", ");
    return `- [${task.done ? "x" : " "}] ${escaped(text)}${shown === "" ? "" : ` (${shown})`}`;
  });
  return `# ${escaped(title)}\n\n${lines.join("\n")}\n`;
}

/** Whether a calendar file would have any entries. */
export const hasDates = (points: readonly Point[]): boolean => points.some(isDue);
const isDue = ({ task }: Point): boolean => task !== undefined && task.due !== null && !task.done;

interface CalendarFile extends TaskFile {
  /** The list's id. With it a calendar recognizes tasks that it already has. */
  id: string;
  /** Creation time of the list, ISO 8601. */
  createdAt: string;
}

/**
 * Formats open tasks with a due date as iCalendar (RFC 5545). They are all-day events that leave the time free, because
 * most calendars can't import to-dos.
 */
export function tasksAsCalendar({ title, points, id, createdAt }: CalendarFile): string {
  const stamp = new Date(createdAt).toISOString().replace(/[-:]|\.\d+/g, "");
  const events = points.flatMap((point, index) => {
    const { text, task } = point;
    if (!isDue(point) || task === undefined || task.due === null) return [];
    return [
      "BEGIN:VEVENT",
      `UID:${id}-${index}@parlance`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${task.due.replaceAll("-", "")}`,
      `SUMMARY:${textValue(task.owner === null ? text : `${text} (${task.owner})`)}`,
      `DESCRIPTION:${textValue(title)}`,
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
    ];
  });
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Parlance//Tasks//EN",
    "CALSCALE:GREGORIAN",
    ...events,
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** Escapes text (RFC 5545, 3.3.11). */
const textValue = (text: string): string => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");

/** Folds lines longer than 75 bytes (RFC 5545, 3.1). Never splits a character. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  const parts = [""];
  let room = 75;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (size > room) {
      parts.push("");
      // The space at the beginning of a folded line is one byte.
      room = 74;
    }
    parts.push(`${parts.pop() ?? ""}${character}`);
    room -= size;
  }
  return parts.join("\r\n ");
}
