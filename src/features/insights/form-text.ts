/** The trimmed text of a form's field; "" if the form has no such field. */
export function formText(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value.trim() : "";
}
