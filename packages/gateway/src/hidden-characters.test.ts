import { describe, expect, test } from 'vitest';
import { showHidden } from './hidden-characters.ts';

describe('what is no hidden character', () => {
  test.each([
    ['a family, joined', '👨‍👩‍👧‍👦'],
    ['a person at work, with a skin tone', '👩🏽‍💻'],
    ['a person with red hair', '👨‍🦰'],
    ['a heart on fire, with its selector', '❤️‍🔥'],
    ['the rainbow flag', '🏳️‍🌈'],
    ['the pirate flag', '🏴‍☠️'],
    ['a woman who runs to the right', '🏃‍♀️‍➡️'],
    ['hands of two tones', '🫱🏻‍🫲🏿'],
    ['a person who shrugs', '🤷🏾‍♂️'],
    ['a key', '1️⃣ #️⃣ *⃣'],
    ['a flag of two letters', '🇩🇪'],
    ['a sign as a picture, and as a text', '☎️ ☎︎ ©️'],
    ['a phoenix and a lime', '🐦‍🔥🍋‍🟩'],
    ['several emoji in a row', '🎉👩‍🚀✨'],
    ['white space', 'a\tb\r\nc'],
    ['other scripts', 'Zürich 東京 مرحبا नमस्ते'],
  ])('%s', (_, text) => {
    expect(showHidden(`Pays ${text}.`)).toBeUndefined();
  });
});

describe('what is one, and shown', () => {
  test.each([
    ['tags', 'a\u{e0041}\u{e007f}', 'a\\u{e0041}\\u{e007f}'],
    ['the flag of a region, whose tags can spell anything', '🏴\u{e0067}\u{e0062}', '🏴\\u{e0067}\\u{e0062}'],
    ['bidirectional controls', 'a\u202eb\u2066c\u061c', 'a\\u{202e}b\\u{2066}c\\u{61c}'],
    ['a joiner between letters', 'a\u200db', 'a\\u{200d}b'],
    ['a joiner behind an emoji', '🎉\u200d.', '🎉\\u{200d}.'],
    ['a joiner before an emoji', 'a\u200d🎉', 'a\\u{200d}🎉'],
    ['joiners without an end', '🎉\u200d\u200d🎉', '🎉\\u{200d}\\u{200d}🎉'],
    ['a non-joiner', 'a\u200cb', 'a\\u{200c}b'],
    ['spaces without a width', 'a\u200bb\ufeffc\u2060d', 'a\\u{200b}b\\u{feff}c\\u{2060}d'],
    ['selectors behind letters', 'a\ufe0fb\ufe00', 'a\\u{fe0f}b\\u{fe00}'],
    ['selectors in a row, which can spell anything', '😀\ufe0f\ufe0f\ufe0e', '😀\ufe0f\\u{fe0f}\\u{fe0e}'],
    ['the other selectors', '😀\u{e0101}', '😀\\u{e0101}'],
    ['a soft hyphen', 'pass\u00adword', 'pass\\u{ad}word'],
    ['fillers and blanks', 'a\u3164\u2800\u115f', 'a\\u{3164}\\u{2800}\\u{115f}'],
    ['controls', 'a\u0000\u001b[8m\u0085', 'a\\u{0}\\u{1b}[8m\\u{85}'],
    ['half of a pair', 'a\ud83d', 'a\\u{d83d}'],
    ['selectors of Mongolian', 'a\u180bb\u180cc\u180dd\u180f', 'a\\u{180b}b\\u{180c}c\\u{180d}d\\u{180f}'],
    ['what Unicode has set aside to be ignored', 'a\u2065\ufff0\ufff8', 'a\\u{2065}\\u{fff0}\\u{fff8}'],
    ['blanks of music and of Khitan', 'a\u{1d159}\u{16fe4}', 'a\\u{1d159}\\u{16fe4}'],
    ['a joiner of graphemes, vowels of Khmer', 'a\u034f\u17b4\u17b5', 'a\\u{34f}\\u{17b4}\\u{17b5}'],
    ['marks of invisible mathematics', 'a\u2062b\u2064', 'a\\u{2062}b\\u{2064}'],
  ])('%s', (_, text, shown) => {
    expect(showHidden(text)).toBe(shown);
  });
});
