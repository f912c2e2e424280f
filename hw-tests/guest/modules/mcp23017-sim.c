// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C bus with MCP23017 expanders on it, for the virtual board. Loaded in the test guest only.
 *
 * As the part (DS20001952): all pins are inputs and high at power-on, a change latches INTF and INTCAP once, reading INTCAP or
 * GPIO releases the interrupt, A7 and B7 read 0 as inputs. INTA of all chips is one open-drain wire, which drives a line of a
 * gpio-sim chip. An address where no chip answers gives -EREMOTEIO, as the controllers of Raspberry Pi boards do.
 *
 * /sys/module/mcp23017_sim/parameters/:
 *   drive    write "0x20 A0 0": the world pulls pin A0 of that chip low
 *   present  write "0x20 0": the chip loses its supply; 1 gives it back, with its registers at their reset values
 *   outputs  read: one line a chip, address and the levels of both ports as the pins show them
 */
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#define CHIPS_MAX 8
#define REGISTERS 0x16
enum { IODIR = 0, IPOL = 2, GPINTEN = 4, DEFVAL = 6, INTCON = 8, IOCON = 10, GPPU = 12, INTF = 14, INTCAP = 16, GPIO = 18, OLAT = 20 };

int gpio_sim_drive(const char *label, unsigned int offset, int level);

static unsigned short addresses[CHIPS_MAX] = { 0x20 };
static int chips_count = 1;
module_param_array_named(chips, addresses, ushort, &chips_count, 0444);
static char *label = "table-io";
module_param(label, charp, 0444);
static int line = -1;
module_param(line, int, 0444);

struct chip {
	bool present;
	u8 reg[REGISTERS];
	u8 outside[2], reference[2];
	u8 pointer;
};
static struct chip chips[CHIPS_MAX];
static DEFINE_MUTEX(bus);

static u8 levels(struct chip *c, int port)
{
	u8 inputs = c->reg[IODIR + port] & 0x7f;

	return ((c->outside[port] ^ c->reg[IPOL + port]) & inputs) | (c->reg[OLAT + port] & ~c->reg[IODIR + port]);
}

static void assess(struct chip *c, int port)
{
	u8 now = levels(c, port);
	u8 changed = (now ^ c->reference[port]) & ~c->reg[INTCON + port];
	u8 differs = (now ^ c->reg[DEFVAL + port]) & c->reg[INTCON + port];
	u8 causes = (changed | differs) & c->reg[GPINTEN + port] & c->reg[IODIR + port] & 0x7f;

	if (!c->reg[INTF + port] && causes) {
		c->reg[INTF + port] = causes;
		c->reg[INTCAP + port] = now;
	}
}

static void released(struct chip *c, int port)
{
	c->reg[INTF + port] = 0;
	c->reference[port] = levels(c, port);
	assess(c, port);
}

static void power_on(struct chip *c)
{
	memset(c->reg, 0, sizeof(c->reg));
	c->reg[IODIR] = c->reg[IODIR + 1] = 0xff;
	c->reference[0] = levels(c, 0);
	c->reference[1] = levels(c, 1);
	c->present = true;
}

/* The wire is low while any chip asks for attention. Without MIRROR, INTA tells of port A alone. */
static void wire(void)
{
	int i, low = 0;

	for (i = 0; i < chips_count; i++)
		if (chips[i].present)
			low |= chips[i].reg[INTF] | (chips[i].reg[IOCON] & 0x40 ? chips[i].reg[INTF + 1] : 0);
	if (line >= 0)
		gpio_sim_drive(label, line, !low);
}

static struct chip *at(unsigned int address)
{
	int i;

	for (i = 0; i < chips_count; i++)
		if (addresses[i] == address)
			return &chips[i];
	return NULL;
}

static u8 read_register(struct chip *c, u8 reg)
{
	u8 value = reg >= REGISTERS ? 0 : (reg & ~1) == GPIO ? levels(c, reg & 1) : c->reg[reg];

	if ((reg & ~1) == GPIO || (reg & ~1) == INTCAP)
		released(c, reg & 1);
	return value;
}

static void write_register(struct chip *c, u8 reg, u8 value)
{
	if (reg >= REGISTERS || (reg & ~1) == INTF || (reg & ~1) == INTCAP)
		return;
	if ((reg & ~1) == GPIO)
		reg += OLAT - GPIO;
	c->reg[reg] = value;
	if ((reg & ~1) == IOCON)
		c->reg[IOCON] = c->reg[IOCON + 1] = value;
	if ((reg & ~1) == GPINTEN || (reg & ~1) == IODIR)
		c->reference[reg & 1] = levels(c, reg & 1);
	assess(c, reg & 1);
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *msgs, int count)
{
	int m, i, result = count;

	mutex_lock(&bus);
	for (m = 0; m < count; m++) {
		struct chip *c = at(msgs[m].addr);

		if (!c || !c->present) {
			result = -EREMOTEIO;
			break;
		}
		for (i = 0; i < msgs[m].len; i++) {
			if (msgs[m].flags & I2C_M_RD)
				msgs[m].buf[i] = read_register(c, c->pointer++);
			else if (i == 0)
				c->pointer = msgs[m].buf[0];
			else
				write_register(c, c->pointer++, msgs[m].buf[i]);
		}
	}
	wire();
	mutex_unlock(&bus);
	return result;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = { .master_xfer = transfer, .functionality = functionality };
static struct i2c_adapter adapter = { .owner = THIS_MODULE, .algo = &algorithm, .nr = 1, .name = "mcp23017-sim" };

static int set_drive(const char *text, const struct kernel_param *kp)
{
	unsigned int address, pin, level;
	char port;
	struct chip *c;

	if (sscanf(text, "%x %c%u %u", &address, &port, &pin, &level) != 4 || pin > 7 || level > 1)
		return -EINVAL;
	c = at(address);
	if (!c || (port != 'A' && port != 'B'))
		return -ENODEV;
	mutex_lock(&bus);
	if (level)
		c->outside[port - 'A'] |= 1 << pin;
	else
		c->outside[port - 'A'] &= ~(1 << pin);
	if (c->present)
		assess(c, port - 'A');
	wire();
	mutex_unlock(&bus);
	return 0;
}

static int set_present(const char *text, const struct kernel_param *kp)
{
	unsigned int address, here;
	struct chip *c;

	if (sscanf(text, "%x %u", &address, &here) != 2)
		return -EINVAL;
	c = at(address);
	if (!c)
		return -ENODEV;
	mutex_lock(&bus);
	if (here)
		power_on(c);
	else
		c->present = false;
	wire();
	mutex_unlock(&bus);
	return 0;
}

static int get_outputs(char *buffer, const struct kernel_param *kp)
{
	int i, n = 0;

	mutex_lock(&bus);
	for (i = 0; i < chips_count; i++)
		n += scnprintf(buffer + n, PAGE_SIZE - n, "0x%02x %02x %02x\n", addresses[i], levels(&chips[i], 0), levels(&chips[i], 1));
	mutex_unlock(&bus);
	return n;
}

static const struct kernel_param_ops drive_ops = { .set = set_drive }, present_ops = { .set = set_present }, outputs_ops = { .get = get_outputs };
module_param_cb(drive, &drive_ops, NULL, 0200);
module_param_cb(present, &present_ops, NULL, 0200);
module_param_cb(outputs, &outputs_ops, NULL, 0444);

static int __init begin(void)
{
	int i;

	for (i = 0; i < chips_count; i++) {
		chips[i].outside[0] = chips[i].outside[1] = 0xff;
		power_on(&chips[i]);
	}
	wire();
	return i2c_add_numbered_adapter(&adapter);
}

static void __exit end(void)
{
	i2c_del_adapter(&adapter);
}
module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("MCP23017 expanders on a simulated I2C bus");
