import { printParseErrorCode, visit, type ParseErrorCode } from "jsonc-parser";
import { InputError, type Problem } from "../problem.ts";
import type { Finding } from "./finding.ts";
import { toProblems } from "./problems.ts";
import { structureVisitor } from "./structure.ts";

const mostBlanks = 100_000;
const mostSyntaxErrors = 20;
const mostFindings = 1000;

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** What is wrong with a syntax, by the parser's name for it. */
const syntaxWords: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is no value of JSON",
  InvalidNumberFormat: "this is no number of JSON",
  PropertyNameExpected: "a key in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "a closing } is expected",
  CloseBracketExpected: "a closing ] is expected",
  EndOfFileExpected: "the text goes on after its end",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfString: "the string does not end on its line",
  UnexpectedEndOfNumber: "the number breaks off",
  InvalidUnicode: "\\u needs four hexadecimal digits",
  InvalidEscapeCharacter: "unknown escape after \\",
  InvalidCharacter: "a control character in a string must be escaped",
};

/**
 * Parses strict JSON.
 * @returns the value, and what JSON allows in it and a manifest does not (structure.ts).
 * @throws InputError for syntax errors, with line and column, and for a text that is out of all proportion.
 */
export function parseJson(text: string, file: string): { value: unknown; findings: Finding[] } {
  if (longestBlank(text) > mostBlanks) {
    throw new InputError({ file, message: `over ${mostBlanks} blanks in a row`, fix: "remove them" });
  }
  const syntax = new Map<number, Problem>();
  const findings: Finding[] = [];
  const giveUp = (finding: Finding): never => {
    throw new InputError(toProblems([...findings, finding], { file, text: "", value: undefined }));
  };
  const structure = structureVisitor((finding) => {
    if (findings.length >= mostFindings) giveUp(finding);
    findings.push(finding);
  }, giveUp);
  let previous = "";
  const onError = (code: ParseErrorCode, offset: number, _length: number, line: number, character: number): void => {
    const name = printParseErrorCode(code);
    // After a word that is no value the parser misses the value, and what follows on a line is mostly a consequence.
    const follows = name === "ValueExpected" && previous === "InvalidSymbol";
    previous = name;
    if (follows || syntax.has(line) || syntax.size >= mostSyntaxErrors) return;
    syntax.set(line, { file, line: line + 1, column: character + 1, ...syntaxProblem(name, text, offset) });
  };
  visit(text, { ...structure, onError }, strict);
  if (syntax.size > 0) throw new InputError([...syntax.values()]);
  try {
    return { value: JSON.parse(text) as unknown, findings };
  } catch {
    throw new InputError({ file, message: "not valid JSON" });
  }
}

function syntaxProblem(name: string, text: string, offset: number): Pick<Problem, "message" | "fix"> {
  if (text.trim() === "") return { message: "the file is empty", fix: "write a JSON object into it" };
  const trailing = /^[}\]]/.test(text.slice(offset, offset + 1)) && text.slice(0, offset).trimEnd().endsWith(",");
  return {
    message: `not valid JSON: ${syntaxWords[name] ?? name}`,
    ...(trailing ? { fix: "remove the comma before it" } : {}),
  };
}

/** The parser's memory for blanks in a row is many times their length. */
function longestBlank(text: string): number {
  let longest = 0;
  let run = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    run = code === 0x20 || code === 0x09 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
