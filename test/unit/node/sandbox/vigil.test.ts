import { describe, expect, it } from 'vitest';
import { Vigil } from '../../../../src/node/sandbox/vigil';

/** A machine on which a call takes so long, in milliseconds, awake and asleep; the caller takes a hundredth of one between two. */
class Machine {
  time = 0;
  /** Turns of the event loop that are asked for and have not come. */
  turns: (() => void)[] = [];
  readonly vigil = new Vigil(() => this.time, (turn) => this.turns.push(turn));

  constructor(public awake: number, public asleep: number) {}

  /** Makes a call after a pause; tells whether both sides stayed awake. */
  call(pause = 0.01): boolean {
    this.time += pause;
    const look = this.vigil.begin();
    this.time += look > 0 ? this.awake : this.asleep;
    this.vigil.end();
    return look > 0;
  }

  /** Of so many calls, how many were made awake. */
  calls(count: number, pause?: number): number {
    return Array.from({ length: count }, () => this.call(pause)).filter(Boolean).length;
  }
}

const PREPARED = 200;

describe('a vigil', () => {
  it('stays awake where that makes calls shorter, but for trials', () => {
    const machine = new Machine(0.05, 0.13);
    machine.calls(PREPARED);
    expect(machine.calls(8_000)).toBe(8_000);
    expect(machine.calls(8_192)).toBeGreaterThan(8_000);
  });

  it('sleeps where that is as good, and tries it ever more seldom', () => {
    for (const awake of [0.13, 0.125, 0.3]) {
      const machine = new Machine(awake, 0.13);
      machine.calls(PREPARED);
      const tried = [4_000, 4_000, 40_000].map((count) => machine.calls(count) / count);
      expect(tried[0]).toBeLessThan(0.05);
      expect(tried[1]).toBeLessThan(tried[0]!);
      expect(tried[2]).toBeLessThan(0.035);
    }
  });

  it('is over soon when others come to need the processor, and begins anew when they have gone', () => {
    const machine = new Machine(0.05, 0.13);
    machine.calls(PREPARED);
    machine.awake = 0.2;
    expect(machine.calls(4_000)).toBeLessThan(300);
    machine.awake = 0.05;
    machine.calls(10_000);
    expect(machine.calls(1_000)).toBe(1_000);
  });

  it('is not kept for a call that comes late, nor after one that took long', () => {
    const machine = new Machine(0.05, 0.13);
    machine.calls(PREPARED);
    expect([machine.call(), machine.call(5), machine.call(), machine.call()]).toEqual([true, false, true, true]);
    machine.awake = 5;
    expect(machine.call()).toBe(true);
    machine.awake = 0.05;
    expect([machine.call(), machine.call()]).toEqual([false, true]);
    expect(new Machine(0.05, 0.6).calls(1_000)).toBe(0);
    expect(new Machine(0.05, 0.13).calls(1_000, 5)).toBe(0);
  });

  it('is not kept while several calls are made at once', () => {
    const machine = new Machine(0.05, 0.13);
    machine.calls(PREPARED);
    machine.vigil.begin();
    expect(machine.calls(50)).toBe(0);
    machine.vigil.end();
    expect(machine.calls(50)).toBeGreaterThan(40);
  });

  it('keeps the event loop turning until the reply has come, and not for long when none comes', () => {
    const machine = new Machine(0.05, 0.13);
    machine.calls(PREPARED);
    const turnsOf = (): number => {
      let count = 0;
      for (let [turn] = machine.turns.splice(0); turn; [turn] = machine.turns.splice(0)) {
        turn();
        machine.time += 0.01;
        count += 1;
      }
      return count;
    };
    turnsOf();
    machine.call();
    expect(turnsOf()).toBe(1);
    machine.time += 0.01;
    expect(machine.vigil.begin()).toBeGreaterThan(0);
    expect(machine.turns).toHaveLength(1);
    const turns = turnsOf();
    expect([turns > 5, turns < 50]).toEqual([true, true]);
  });
});
