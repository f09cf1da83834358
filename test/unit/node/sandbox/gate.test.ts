import { expect, it } from 'vitest';
import { Gate } from '../../../../src/node/sandbox/gate';

it('whoever will not wait is refused where all places are taken, and let in again where one is free', async () => {
  const gate = new Gate(1, 4);
  await gate.enter(undefined, 'full');
  await expect(gate.enter(undefined, 'full')).rejects.toMatchObject({ code: 'sandbox/busy' });
  gate.leave();
  await gate.enter(undefined, 'full');
});

it('whoever comes only to help is refused where more are inside than run at once; others are not', async () => {
  const gate = new Gate(10, 2);
  for (let inside = 0; inside <= 2; inside += 1) await gate.enter(undefined, 'crowded');
  await expect(gate.enter(undefined, 'crowded')).rejects.toMatchObject({ code: 'sandbox/busy' });
  await gate.enter(undefined, 'full');
});

it('one that was refused takes no place', async () => {
  const gate = new Gate(2, 0);
  await gate.enter();
  await expect(gate.enter(undefined, 'crowded')).rejects.toThrow();
  await gate.enter(undefined, 'full');
});
