/** What was typed into a field of a form, without white space around it; "" for a field that it does not have. */
export function formText(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value.trim() : "";
}
